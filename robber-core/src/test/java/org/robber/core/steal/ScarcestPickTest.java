package org.robber.core.steal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.robber.core.peer.OutstandingRequests;
import org.robber.core.peer.Peer;
import org.robber.core.piece.PieceMaps;
import org.robber.core.piece.PieceSet;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;

class ScarcestPickTest {

    @Test
    void whatNobodyElseOffersComesFirst() {
        assertThat(picks("######", "##..##", ".###..", "#.##..")).containsExactly(4, 5);
    }

    @Test
    void thenTheRestHoweverManyOffer() {
        assertThat(picks("######", "###...", "####..", ".##...")).containsExactly(0, 1, 2);
    }

    @Test
    void amongEquallyScarcePiecesTheClaimComesFirst() {
        PieceSet all = PieceMaps.parse("######");
        // the first offers all; 0 and 1 are nobody else's
        List<Peer> peers = peers("######", "..####", "....##");

        ClusterClaim claim = claim(".#.#.#", "......");
        assertThat(picks(all, claim, peers)).containsExactly(1);
        assertThat(picks(PieceMaps.parse("..###."), claim, peers)).containsExactly(3);
        assertThat(picks(PieceMaps.parse("....##"), claim, peers)).containsExactly(5);
    }

    @Test
    void thenWhatIsStolenNext() {
        List<Peer> peers = peers("########", "....####");

        assertThat(picks(PieceMaps.parse("########"), claim("##......", "..#.#..."), peers))
                .containsExactly(0);
        assertThat(picks(PieceMaps.parse("..######"), claim("##......", "..#.#..."), peers))
                .containsExactly(2);
        assertThat(picks(PieceMaps.parse("...#####"), claim("##......", "..#.#..."), peers))
                .containsExactly(3);
        assertThat(picks(PieceMaps.parse("....####"), claim("##......", "..#.#..."), peers))
                .containsExactly(4);
        assertThat(picks(PieceMaps.parse(".....###"), claim("##......", "..#.#..."), peers))
                .containsExactly(5, 6, 7);
        assertThat(picks(PieceMaps.parse(".....###"), claim("##......", "..#.#...", "......#."), peers))
                .containsExactly(6);
    }

    @Test
    void twoClustersThatWorkOnTheSamePiecesMeetOnce() {
        int pieceCount = 200;
        PieceSet unasked = PieceSet.full(pieceCount);
        PieceSet none = PieceSet.empty(pieceCount);
        List<Peer> peers = peers("#".repeat(pieceCount));
        SeededRandom random = new SeededRandom(1);
        List<Integer> upwards = new ArrayList<>();
        List<Integer> downwards = new ArrayList<>();
        for (int i = 0; i < pieceCount; i++) {
            boolean isClaimants = i % 2 == 0;
            ClusterClaim claim =
                    new ClusterClaim(isClaimants ? unasked.copy() : none, isClaimants ? none : unasked.copy(), none);
            int piece = ScarcestPick.pick(unasked, claim, peers.get(0), peers, random);
            (isClaimants ? upwards : downwards).add(piece);
            unasked.remove(piece);
        }

        assertThat(upwards).isSortedAccordingTo(byPlace());
        assertThat(downwards).isSortedAccordingTo(byPlace().reversed());
    }

    @Test
    void whatIsStolenThirdIsWorkedOffUpwards() {
        ClusterClaim claim = claim("........", "........", "..####..");

        assertThat(picks(PieceMaps.parse("########"), claim, peers("########"))).containsExactly(2);
    }

    private static Comparator<Integer> byPlace() {
        return Comparator.<Integer>comparingInt(piece -> piece % Long.SIZE).thenComparing(piece -> piece);
    }

    @Test
    void whatIsClaimedWaitsForWhatIsScarcer() {
        assertThat(picks(PieceMaps.parse("####"), claim("##..", "...."), peers("####", "##..")))
                .containsExactly(2, 3);
    }

    @Test
    void nothingIsPickedThatIsNotAskableAndOffered() {
        assertThat(picks("##....", "..####", "......")).containsExactly(-1);
    }

    @Test
    void aPeerThatIsNotReadyOffersNothing() {
        List<Peer> peers = peers("##", "#.");
        peers.add(peer(9, ".#"));

        assertThat(picks(PieceMaps.parse("##"), claim("..", ".."), peers)).containsExactly(1);
    }

    @Test
    void agreesWithCountingPieceByPiece() {
        SeededRuns.run(200, random -> {
            int capacity = 1 + random.nextInt(200);
            PieceSet askable = randomSet(capacity, random);
            List<Peer> peers = new ArrayList<>();
            for (int rank = 0; rank < 1 + random.nextInt(5); rank++) {
                peers.add(peer(rank, PieceMaps.draw(randomSet(capacity, random))));
                peers.get(rank).becomeReady();
            }

            PieceSet first = randomSet(capacity, random);
            PieceSet next = randomSet(capacity, random);
            next.removeAll(first);
            PieceSet third = randomSet(capacity, random);
            third.removeAll(first);
            third.removeAll(next);
            ClusterClaim claim = new ClusterClaim(first, next, third);

            int picked = ScarcestPick.pick(askable, claim, peers.get(0), peers, random);

            Set<Integer> scarcest = scarcest(askable, peers);
            if (scarcest.isEmpty()) {
                assertThat(picked).isEqualTo(-1);
            } else if (scarcest.stream().anyMatch(first::contains)) {
                assertThat(picked).isIn(scarcest).matches(first::contains);
            } else if (scarcest.stream().anyMatch(next::contains)) {
                assertThat(picked).isIn(scarcest).matches(next::contains);
            } else if (scarcest.stream().anyMatch(third::contains)) {
                assertThat(picked).isIn(scarcest).matches(third::contains);
            } else {
                assertThat(picked).isIn(scarcest);
            }
        });
    }

    private static Set<Integer> scarcest(PieceSet askable, List<Peer> peers) {
        Set<Integer> best = new TreeSet<>();
        int fewest = Integer.MAX_VALUE;
        for (int piece = 0; piece < askable.capacity(); piece++) {
            if (askable.contains(piece) && peers.get(0).offers().isRequestable(piece)) {
                int others = 0;
                for (Peer other : peers.subList(1, peers.size())) {
                    others += other.offers().isRequestable(piece) ? 1 : 0;
                }
                int scarcity = Math.min(1, others);
                if (scarcity < fewest) {
                    fewest = scarcity;
                    best.clear();
                }
                if (scarcity == fewest) {
                    best.add(piece);
                }
            }
        }
        return best;
    }

    private static Set<Integer> picks(String askable, String... offers) {
        return picks(PieceMaps.parse(askable), noClaim(askable.length()), peers(offers));
    }

    private static ClusterClaim claim(String first, String next) {
        return claim(first, next, ".".repeat(first.length()));
    }

    private static ClusterClaim claim(String first, String next, String third) {
        return new ClusterClaim(PieceMaps.parse(first), PieceMaps.parse(next), PieceMaps.parse(third));
    }

    private static ClusterClaim noClaim(int pieceCount) {
        return claim(".".repeat(pieceCount), ".".repeat(pieceCount));
    }

    /** All that is picked of the first peer in many attempts. */
    private static Set<Integer> picks(PieceSet askable, ClusterClaim claim, List<Peer> peers) {
        Set<Integer> picks = new TreeSet<>();
        SeededRandom random = new SeededRandom(1);
        for (int i = 0; i < 100; i++) {
            picks.add(ScarcestPick.pick(askable, claim, peers.get(0), peers, random));
        }
        return picks;
    }

    private static List<Peer> peers(String... offers) {
        List<Peer> peers = new ArrayList<>();
        for (String offered : offers) {
            Peer peer = peer(peers.size(), offered);
            peer.becomeReady();
            peers.add(peer);
        }
        return peers;
    }

    private static Peer peer(int rank, String offered) {
        PieceSet pieces = PieceMaps.parse(offered);
        Peer peer = new Peer(rank, false, pieces.capacity(), new OutstandingRequests(5, 1));
        peer.offers().add(pieces);
        return peer;
    }

    private static PieceSet randomSet(int capacity, SeededRandom random) {
        PieceSet set = PieceSet.empty(capacity);
        for (int i = random.nextInt(2 * capacity); i > 0; i--) {
            set.add(random.nextInt(capacity));
        }
        return set;
    }
}

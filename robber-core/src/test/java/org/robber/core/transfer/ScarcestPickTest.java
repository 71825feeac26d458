package org.robber.core.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
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
    void thenWhatOneOtherOffers() {
        assertThat(picks("######", "##....", ".###..", "###...")).containsExactly(0);
    }

    @Test
    void thenTheRest() {
        assertThat(picks("##....", "##....", "####..", "###...")).containsExactly(0, 1);
    }

    @Test
    void amongEquallyScarcePiecesTheClaimComesFirst() {
        PieceSet all = PieceMaps.parse("######");
        // the first offers all; 0 and 1 are nobody else's, 2 and 3 are one other's, 4 and 5 two others'
        List<Peer> peers = peers("######", "..####", "....##");

        assertThat(picks(all, PieceMaps.parse(".#.#.#"), peers)).containsExactly(1);
        assertThat(picks(PieceMaps.parse("..####"), PieceMaps.parse(".#.#.#"), peers))
                .containsExactly(3);
        assertThat(picks(PieceMaps.parse("....##"), PieceMaps.parse(".#.#.#"), peers))
                .containsExactly(5);
    }

    @Test
    void whatIsClaimedWaitsForWhatIsScarcer() {
        assertThat(picks(PieceMaps.parse("####"), PieceMaps.parse("##.."), peers("####", "##..")))
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

        assertThat(picks(PieceMaps.parse("##"), PieceMaps.parse(".."), peers)).containsExactly(1);
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

            PieceSet claim = randomSet(capacity, random);

            int picked = ScarcestPick.pick(askable, claim, true, peers.get(0), peers, random);

            Set<Integer> expected = scarcest(askable, peers);
            if (expected.stream().anyMatch(claim::contains)) {
                expected.removeIf(piece -> !claim.contains(piece));
            }
            if (expected.isEmpty()) {
                assertThat(picked).isEqualTo(-1);
            } else {
                assertThat(picked).isIn(expected);
            }
        });
    }

    private static Set<Integer> scarcest(PieceSet askable, List<Peer> peers) {
        Set<Integer> best = new TreeSet<>();
        int fewest = Integer.MAX_VALUE;
        for (int piece = 0; piece < askable.capacity(); piece++) {
            if (askable.contains(piece) && peers.get(0).offered.contains(piece)) {
                int others = 0;
                for (Peer other : peers.subList(1, peers.size())) {
                    others += other.offered.contains(piece) ? 1 : 0;
                }
                int scarcity = Math.min(2, others);
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
        return picks(PieceMaps.parse(askable), PieceSet.empty(askable.length()), peers(offers));
    }

    /** All that is picked of the first peer in many attempts. */
    private static Set<Integer> picks(PieceSet askable, PieceSet claim, List<Peer> peers) {
        Set<Integer> picks = new TreeSet<>();
        SeededRandom random = new SeededRandom(1);
        for (int i = 0; i < 100; i++) {
            picks.add(ScarcestPick.pick(askable, claim, true, peers.get(0), peers, random));
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
        Peer peer = new Peer(rank, false, pieces.capacity(), 5);
        peer.offered.addAll(pieces);
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

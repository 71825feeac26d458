package org.robber.core.rivals.bittorrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.Puppeteer;
import org.robber.core.node.TimerKey;
import org.robber.core.topology.Topology;

/** What the sources say of BitTorrent, sentence by sentence. */
class BitTorrentPaperTest {
    private static final int PIECES = 40;
    private static final String ALL = "0-39";
    private static final int[] SEVEN = {0, 2, 3, 4, 5, 6, 7};

    @Test
    void atFirstEveryoneIsChokedAndANodeSaysWhatItPossesses() {
        assertThat(leecher().startWith().ready(2)).isEmpty();
        assertThat(seed().startWith().ready(2)).containsExactly("2: bitfield " + ALL, "2: done");
    }

    @Test
    void aNodeIsInterestedInWhomeverPossessesAPieceThatItLacksAndTellsWhenThatChanges() {
        Puppeteer node = leecher().startWith(0, 2);
        assertThat(node.receive(2, "have 3")).containsExactly("2: interested");
        assertThat(node.receive(2, "have 4")).isEmpty();
        assertThat(node.store(0, 3)).isEmpty();
        assertThat(node.store(0, 4)).contains("2: not-interested");
    }

    @Test
    void whoChokesIsAskedForNothing() {
        Puppeteer node = leecher().startWith(0);
        assertThat(node.receive(0, "bitfield " + ALL)).containsExactly("0: interested");
        assertThat(requests(node.receive(0, "unchoke"))).hasSize(5);
        assertThat(node.receive(0, "choke")).isEmpty();
        assertThat(requests(node.store(0, 1))).isEmpty();
    }

    @Test
    void fiveRequestsAreOutstandingPerPeerAndNoPieceIsAskedOfTwo() {
        Puppeteer node = leecher().startWith(0, 2);
        node.receive(0, "bitfield " + ALL);
        node.receive(2, "bitfield " + ALL);
        List<String> asked = new ArrayList<>(requests(node.receive(0, "unchoke")));
        asked.addAll(requests(node.receive(2, "unchoke")));
        assertThat(asked).hasSize(10);
        assertThat(pieces(asked)).doesNotHaveDuplicates();
    }

    @Test
    void thePiecePickedIsAnyOfThoseOnOffer() {
        Set<String> choices = new HashSet<>();
        for (long seed = 0; seed < 100; seed++) {
            NodeSetup all = Puppeteer.connectedToAll(1, Topology.ofSizes(1, 1), 4, 1, 1);
            NodeSetup setup = new NodeSetup(1, all.topology(), all.overlay(), 0, all.possession(), seed, 1, 1);
            Puppeteer node = new Puppeteer(new BitTorrentNode(setup, false, false), 4).startWith(0);
            node.receive(0, "bitfield 0-3");
            choices.addAll(node.receive(0, "unchoke"));
        }
        assertThat(choices).containsExactlyInAnyOrder("0: request 0", "0: request 1", "0: request 2", "0: request 3");
    }

    @Test
    void aFreePlaceGoesAtOnceToWhoeverIsInterestedAndThereAreFive() {
        Puppeteer node = leecher().startWith(SEVEN);
        for (int peer : new int[] {0, 2, 3, 4, 5}) {
            assertThat(node.receive(peer, "interested")).containsExactly(peer + ": unchoke");
        }
        assertThat(node.receive(6, "interested")).isEmpty();
        assertThat(node.receive(3, "not-interested")).containsExactly("6: unchoke");
    }

    @Test
    void everyTenSecondsTheFourThatGaveMostAreUnchokedAndOneAtRandom() {
        Puppeteer node = leecher().startWith(SEVEN);
        List<Integer> unchoked = new ArrayList<>();
        for (int peer : SEVEN) {
            note(unchoked, node.receive(peer, "interested"));
        }
        int piece = 0;
        for (int giver : new int[] {7, 6, 5, 4}) {
            for (int i = 0; i < giver; i++) {
                node.store(giver, piece++);
            }
        }
        List<String> decided = node.later(Choker.PERIOD_NANOS).fire(TimerKey.RECHOKE);
        assertThat(decided).endsWith("rechoke at 20000000000");
        note(unchoked, decided);
        assertThat(unchoked).hasSize(5).contains(4, 5, 6, 7).containsAnyOf(0, 2, 3);
    }

    @Test
    void theOneAtRandomStaysForThirtySeconds() {
        for (int attempt = 0; attempt < 20; attempt++) {
            Puppeteer node = leecher(attempt).startWith(SEVEN);
            List<Integer> unchoked = new ArrayList<>();
            for (int peer : SEVEN) {
                note(unchoked, node.receive(peer, "interested"));
            }
            List<Integer> optimistic = new ArrayList<>();
            int piece = 0;
            for (int period = 1; period <= 5; period++) {
                for (int giver = 4; giver <= 7; giver++) {
                    node.store(giver, piece++);
                }
                note(unchoked, node.fire(TimerKey.RECHOKE));
                List<Integer> others = new ArrayList<>(unchoked);
                others.removeAll(List.of(4, 5, 6, 7));
                assertThat(others).hasSize(1);
                optimistic.add(others.get(0));
            }
            assertThat(optimistic.get(0)).isEqualTo(optimistic.get(1));
            assertThat(optimistic.get(2)).isEqualTo(optimistic.get(3)).isEqualTo(optimistic.get(4));
        }
    }

    @Test
    void whatWasGivenIsForgottenAfterTwentySeconds() {
        Puppeteer node = leecher().startWith(SEVEN);
        List<Integer> unchoked = new ArrayList<>();
        for (int peer : SEVEN) {
            note(unchoked, node.receive(peer, "interested"));
        }
        int piece = 0;
        for (int giver = 4; giver <= 7; giver++) {
            node.store(giver, piece++);
            node.store(giver, piece++);
        }
        note(unchoked, node.fire(TimerKey.RECHOKE));
        note(unchoked, node.fire(TimerKey.RECHOKE));
        assertThat(unchoked).contains(4, 5, 6, 7);
        for (int giver : new int[] {0, 2, 3}) {
            node.store(giver, piece++);
        }
        note(unchoked, node.fire(TimerKey.RECHOKE));
        assertThat(unchoked).contains(0, 2, 3);
    }

    @Test
    void aSeedFavoursThoseThatTakeFastest() {
        Puppeteer node = seed().startWith(1, 2, 3, 4, 5, 6, 7);
        List<Integer> unchoked = new ArrayList<>();
        for (int peer = 1; peer <= 7; peer++) {
            note(unchoked, node.receive(peer, "interested"));
        }
        List<Integer> takers = List.copyOf(unchoked.subList(0, 4));
        for (int taker : takers) {
            assertThat(node.receive(taker, "request 7")).containsExactly(taker + ": piece 7");
        }
        note(unchoked, node.fire(TimerKey.RECHOKE));
        assertThat(unchoked).hasSize(5).containsAll(takers);
    }

    @Test
    void aRequestThatMeetsAChokeOnItsWayIsRefused() {
        assertThat(seed().startWith(1).receive(1, "request 3")).containsExactly("1: reject 3");
    }

    @Test
    void haveGoesToAllPeersThatLackThePiece() {
        Puppeteer node = leecher().startWith(0, 2, 3, 4);
        node.receive(3, "have 9");
        assertThat(node.store(0, 9)).containsExactly("2: have 9", "3: not-interested", "4: have 9");
    }

    @Test
    void rarestFirstAsksForWhatTheFewestPeersHave() {
        Puppeteer node = node(1, 1, true, false).startWith(0, 2, 3);
        node.receive(2, "bitfield 0-29");
        node.receive(3, "bitfield 0-35");
        node.receive(0, "bitfield " + ALL);
        for (int piece = 0; piece < PieceAvailability.PIECES_BEFORE_RAREST; piece++) {
            node.store(3, piece);
        }
        assertThat(pieces(requests(node.receive(0, "unchoke"))).subList(0, 4))
                .containsExactlyInAnyOrder(36, 37, 38, 39);
    }

    @Test
    void inTheEndGameAllAreAskedAndTheLoserIsCancelled() {
        Puppeteer node = node(1, 1, false, true).startWith(0, 2);
        for (int piece = 0; piece < PIECES - 1; piece++) {
            node.store(2, piece);
        }
        node.receive(0, "have 39");
        node.receive(2, "have 39");
        assertThat(node.receive(0, "unchoke")).containsExactly("0: request 39");
        assertThat(node.receive(2, "unchoke")).containsExactly("2: request 39");
        assertThat(node.store(2, 39)).contains("0: cancel 39", "completed").doesNotContain("2: cancel 39");
    }

    @Test
    void whatAChokingPeerWasAskedForStaysPendingAndWhatItRefusesIsAskedElsewhere() {
        Puppeteer node = leecher().startWith(0, 2);
        node.receive(0, "have 5");
        node.receive(2, "have 5");
        assertThat(node.receive(0, "unchoke")).containsExactly("0: request 5");
        assertThat(node.receive(2, "unchoke")).isEmpty();
        assertThat(node.receive(0, "choke")).isEmpty();
        assertThat(node.receive(0, "reject 5")).containsExactly("2: request 5");
    }

    @Test
    void whatALostPeerWasAskedForIsAskedElsewhere() {
        Puppeteer node = leecher().startWith(0, 2);
        node.receive(0, "have 5");
        node.receive(2, "have 5");
        node.receive(0, "unchoke");
        node.receive(2, "unchoke");
        assertThat(node.lose(0)).containsExactly("2: request 5");
    }

    private static Puppeteer leecher() {
        return leecher(1);
    }

    private static Puppeteer leecher(long seed) {
        return node(1, seed, false, false);
    }

    private static Puppeteer seed() {
        return node(0, 1, false, false);
    }

    private static Puppeteer node(int rank, long seed, boolean rarest, boolean endGame) {
        NodeSetup all = Puppeteer.connectedToAll(rank, Topology.ofSizes(8), PIECES, 5, 1);
        NodeSetup setup = new NodeSetup(rank, all.topology(), all.overlay(), 0, all.possession(), seed, 5, 1);
        return new Puppeteer(new BitTorrentNode(setup, rarest, endGame), PIECES);
    }

    private static List<String> requests(List<String> actions) {
        return actions.stream().filter(action -> action.contains(": request ")).toList();
    }

    private static List<Integer> pieces(List<String> requests) {
        return requests.stream()
                .map(request -> Integer.valueOf(request.substring(request.lastIndexOf(' ') + 1)))
                .toList();
    }

    /** Follows who is unchoked. */
    private static void note(List<Integer> unchoked, List<String> actions) {
        IntStream.range(0, 8).forEach(peer -> {
            if (actions.contains(peer + ": unchoke")) {
                unchoked.add(peer);
            }
            if (actions.contains(peer + ": choke")) {
                unchoked.remove(Integer.valueOf(peer));
            }
        });
    }
}

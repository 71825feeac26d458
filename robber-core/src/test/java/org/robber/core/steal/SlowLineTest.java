package org.robber.core.steal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How many requests are outstanding on a line whose pieces come far apart: rank 1 and its mates steal from rank 0. */
class SlowLineTest {
    private static final int PIECES_PER_MEMBER = 100;
    private static final int ANSWERS = 40;
    private static final String REQUEST = "0: request ";

    @Test
    void isOneWhereMatesShareTheLineAndNothingGoesTheOtherWay() {
        assertThat(outstanding(4, 300, /* done= */ true)).isEqualTo(1);
    }

    @Test
    void isTwoWhereThePeerMayBeAskingForPieces() {
        assertThat(outstanding(4, 300, /* done= */ false)).isEqualTo(2);
    }

    @Test
    void isTwoWhereARoundTripCounts() {
        assertThat(outstanding(4, 200, /* done= */ true)).isEqualTo(2);
    }

    @Test
    void isTwoWhereNobodyElseKeepsTheLineBusy() {
        assertThat(outstanding(3, 300, /* done= */ true)).isEqualTo(2);
    }

    @Test
    void isOneAtTheEndWhereAnswersTakeMuchLongerThanTheFirst() {
        assertThat(outstandingAfter(12, of(20), 10, 50)).isEqualTo(1);
    }

    @Test
    void isTwoAtTheEndWhereAnswersTakeAsLongAsTheFirst() {
        assertThat(outstandingAfter(12, of(20), 50, 50)).isEqualTo(2);
    }

    @Test
    void isOneAtAllPeersWhereAMateBringsTheRestSooner() {
        assertThat(outstandingAtTwoPeers(990)).isEqualTo(1);
    }

    /** The second peer gets the request that was held back, once the first has nothing left. */
    @Test
    void isOneAtTheNextPeerOnceTheFirstHasAnswered() {
        ScriptedNode node = withTwoPeers(990);
        node.receive(0, "bitfield 3");
        assertThat(outside(node.receive(1, "bitfield 4-9"))).isZero();
        assertThat(outside(node.store(0, 3))).isEqualTo(1);
    }

    @Test
    void isAsManyAtTheEndAsCoverARoundTrip() {
        assertThat(outstandingAfter(5, of(44), 400, 5)).isEqualTo(5);
    }

    /** The first peer is lost while it owes the only piece. */
    @Test
    void isOneAtTheNextPeerOnceTheFirstIsLost() {
        ScriptedNode node = withTwoPeers(990);
        node.receive(0, "bitfield 3");
        node.receive(1, "bitfield 3-9");
        assertThat(outside(node.lose(0))).isEqualTo(1);
    }

    @Test
    void isAsElsewhereWithoutALivingMate() {
        ScriptedNode node = withTwoPeers(990);
        node.lose(3);
        assertThat(outside(node.receive(0, "bitfield 0-9")) + outside(node.receive(1, "bitfield 0-9")))
                .isEqualTo(4);
    }

    @Test
    void isAWindowForEachPeerWhileMuchIsLacked() {
        assertThat(outstandingAtTwoPeers(500)).isEqualTo(10);
    }

    /** Of a node that has brought nothing itself, when its mate has brought so many of 1,000 pieces and two peers offer the rest. */
    private static int outstandingAtTwoPeers(int brought) {
        ScriptedNode node = withTwoPeers(brought);
        String rest = "bitfield 0-" + (999 - brought);
        return outside(node.receive(0, rest)) + outside(node.receive(1, rest));
    }

    private static ScriptedNode withTwoPeers(int brought) {
        ScriptedNode node = ScriptedNode.connectedToAll(StealingVariant.IMPROVED, 2, 1_000, 5, 1, 1, 2);
        node.startWith(0, 1, 3);
        for (int piece = 999; piece >= 1_000 - brought; piece--) {
            node.store(3, piece);
        }
        return node;
    }

    private static int outside(List<String> actions) {
        return (int) actions.stream()
                .filter(action -> action.matches("[01]: request \\d+"))
                .count();
    }

    /** A node without mates that lacks so many pieces, which its peer offers. */
    private static Asking of(int pieces) {
        ScriptedNode node = ScriptedNode.connectedToAll(StealingVariant.IMPROVED, 1, pieces, 5, 1, 1);
        node.startWith(0);
        return new Asking(node, new ArrayDeque<>(requests(node.receive(0, "bitfield 0-" + (pieces - 1)))));
    }

    /** A node, and what is outstanding at its peer. */
    private record Asking(ScriptedNode node, Deque<Integer> asked) {}

    private static int outstanding(int members, long distanceMillis, boolean done) {
        ScriptedNode node =
                ScriptedNode.connectedToAll(StealingVariant.IMPROVED, 1, members * PIECES_PER_MEMBER, 5, 1, members);
        node.startWith(0);
        Deque<Integer> asked = new ArrayDeque<>(requests(node.receive(0, "bitfield 0-" + (PIECES_PER_MEMBER - 1))));
        assertThat(asked).hasSize(5);
        if (done) {
            node.receive(0, "done");
        }
        return outstandingAfter(ANSWERS, new Asking(node, asked), distanceMillis, distanceMillis);
    }

    private static int outstandingAfter(int answers, Asking asking, long firstAnswerMillis, long distanceMillis) {
        Deque<Integer> asked = asking.asked;
        for (int answer = 0; answer < answers; answer++) {
            asking.node.at(TimeUnit.MILLISECONDS.toNanos(firstAnswerMillis + answer * distanceMillis));
            asked.addAll(requests(asking.node.store(0, asked.remove())));
        }
        return asked.size();
    }

    private static List<Integer> requests(List<String> actions) {
        return actions.stream()
                .filter(action -> action.startsWith(REQUEST))
                .map(action -> Integer.valueOf(action.substring(REQUEST.length())))
                .toList();
    }
}

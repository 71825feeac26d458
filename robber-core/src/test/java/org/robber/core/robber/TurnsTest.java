package org.robber.core.robber;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.node.TimerKey;
import org.robber.core.transfer.RequestStyle;

/**
 * What other clusters claim and only one peer offers. Rank 0 is the root; ranks 1 to 4 are a cluster that claims 0, 5, 10
 * and 15 of 20 pieces, and may have two others outstanding: one of rank 2, one of rank 4. Ranks 5 to 8 are clusters of their own.
 */
class TurnsTest {

    @Test
    void whatIsClaimedIsAskedForAndNothingElse() {
        ScriptedNode node = member(1);
        assertThat(requests(node.receive(0, "bitfield 0-4"))).containsExactly("0: request 0");
        assertThat(node.receive(0, "have 3")).isEmpty();
    }

    @Test
    void aMemberWithALimitAsksForSoMuchMore() {
        ScriptedNode node = member(2);
        List<String> first = requests(node.receive(0, "bitfield 5-9"));
        assertThat(first).hasSize(2).startsWith("0: request 5");
        int outOfTurn = Integer.parseInt(first.get(1).substring("0: request ".length()));
        assertThat(requests(node.store(0, 5))).isEmpty();
        assertThat(requests(node.store(0, outOfTurn))).hasSize(1);
    }

    @Test
    void whatASecondPeerOffersIsFree() {
        ScriptedNode node = member(1);
        node.receive(0, "bitfield 0-4");
        assertThat(node.receive(5, "have 3")).containsExactly("5: request 3");
        assertThat(requests(node.receive(6, "bitfield 1-2"))).containsExactlyInAnyOrder("6: request 1", "6: request 2");
    }

    @Test
    void whenNothingComesForAWhileOneMoreIsAskedForByChance() {
        ScriptedNode node = member(1);
        node.receive(0, "bitfield 0-4");
        assertThat(node.store(0, 0)).contains("turn at 5000000000");
        List<String> asked = List.of();
        int whiles = 0;
        while (asked.isEmpty()) {
            assertThat(++whiles).as("waits").isLessThan(1_000);
            asked = requests(node.fire(TimerKey.TURN));
        }
        assertThat(asked).hasSize(1);
    }

    @Test
    void whileSomethingIsUnderWayNothingMoreIsAskedFor() {
        ScriptedNode node = member(1);
        node.receive(0, "bitfield 0-4");
        node.store(0, 0);
        node.receive(2, "have 9");
        for (int i = 0; i < 100; i++) {
            assertThat(node.fire(TimerKey.TURN)).isEmpty();
        }
    }

    private static ScriptedNode member(int rank) {
        ScriptedNode node = ScriptedNode.connectedToAll(RequestStyle.PACED, rank, 20, 5, 1, 4, 1, 1, 1, 1);
        node.start();
        for (int peer = 0; peer < 9; peer++) {
            if (peer != rank) {
                node.ready(peer);
            }
        }
        return node;
    }

    private static List<String> requests(List<String> actions) {
        return actions.stream().filter(action -> action.contains("request")).toList();
    }
}

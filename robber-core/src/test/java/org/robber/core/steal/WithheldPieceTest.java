package org.robber.core.steal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.robber.core.node.NodeCounters;

/** A piece that was refused or came corrupt is asked of somebody else, and of the same peer only if there is nobody. */
class WithheldPieceTest {

    @Test
    void itIsAskedOfAnotherPeerThatOffersIt() {
        ScriptedNode node = twoSources(5);
        node.receive(0, "bitfield 0");
        node.receive(2, "bitfield 0");
        assertThat(node.corrupt(0, 0)).containsExactly("2: request 0");
        assertThat(node.receive(2, "reject 0")).containsExactly("0: request 0");
        assertThat(node.node().counters()).isEqualTo(new NodeCounters(0, 0, 0, 0, 2));
    }

    @Test
    void itIsAskedOfTheSamePeerIfThereIsNobodyElse() {
        ScriptedNode node = twoSources(5);
        node.receive(0, "bitfield 0");
        assertThat(node.receive(0, "reject 0")).containsExactly("0: request 0");
        assertThat(node.receive(0, "reject 0")).containsExactly("0: request 0");
    }

    @Test
    void itIsNotOfferedByWhoWithholdsItUntilTheOthersAreGone() {
        ScriptedNode node = twoSources(1);
        node.receive(0, "bitfield 0-1");
        node.receive(2, "bitfield 0-1");
        int askedOfRoot = node.node().parts().peers().find(0).requests().contains(0) ? 0 : 1;
        // The other peer's window is full: the piece waits for it, and the root is not asked.
        assertThat(node.corrupt(0, askedOfRoot)).noneMatch(action -> action.contains("request"));
        assertThat(node.receive(0, "bitfield 0-1")).isEmpty();
        assertThat(node.lose(2)).contains("0: request " + (1 - askedOfRoot));
        assertThat(node.store(0, 1 - askedOfRoot)).contains("0: request " + askedOfRoot);
    }

    @Test
    void itIsAskedOfTheMateThatWithheldItOnceTheMateThatOfferedItIsGone() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 9, 1, 1, 3).startWith(0, 2, 3);
        assertThat(node.receive(2, "bitfield 8")).containsExactly("2: request 8");
        assertThat(node.receive(3, "have 8")).isEmpty();
        assertThat(node.receive(2, "reject 8")).containsExactly("3: request 8");
        assertThat(node.lose(3)).contains("2: request 8");
    }

    @Test
    void thoseThatAllRefuseItAreAskedInTurn() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 9, 3, 1, 3).startWith(0, 2, 3);
        assertThat(node.receive(2, "have 3")).containsExactly("2: request 3");
        assertThat(node.receive(3, "have 3")).isEmpty();
        assertThat(node.receive(2, "reject 3")).containsExactly("3: request 3");
        assertThat(node.receive(3, "reject 3")).containsExactly("2: request 3");
        assertThat(node.receive(2, "reject 3")).containsExactly("3: request 3");
    }

    @Test
    void aPeerIsDroppedAfterThreeCorruptPiecesAndNotForRefusing() {
        ScriptedNode node = twoSources(5);
        node.receive(0, "bitfield 0");
        for (int i = 0; i < 10; i++) {
            assertThat(node.receive(0, "reject 0")).containsExactly("0: request 0");
        }
        assertThat(node.corrupt(0, 0)).containsExactly("0: request 0");
        assertThat(node.corrupt(0, 0)).containsExactly("0: request 0");
        assertThat(node.corrupt(0, 0)).startsWith("disconnect 0: too many corrupt pieces");
        assertThat(node.receive(0, "have 1")).isEmpty();
        assertThat(node.ownWork()).isEqualTo("0-1");
    }

    @Test
    void itIsNobodysFaultIfItCameOtherwiseMeanwhile() {
        ScriptedNode node = twoSources(5);
        node.receive(0, "bitfield 0");
        node.receive(2, "bitfield 0");
        node.store(2, 0);
        assertThat(node.corrupt(0, 0)).isEmpty();
        assertThat(node.possession()).isEqualTo("0");
        assertThat(node.ownWork()).isEqualTo("1");
    }

    /** Node 1, alone in its cluster, with two pieces to get from the root and from node 2 of a third cluster. */
    private static ScriptedNode twoSources(int requestWindow) {
        return ScriptedNode.connectedToAll(1, 2, requestWindow, 1, 1, 1).startWith(0, 2);
    }
}

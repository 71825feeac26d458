package org.robber.core.steal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.node.NodeSetup;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/** Stealing on the way, while own work is left. */
class LevellingTest {
    private static final int MATES = 2;

    /** Node 1 of a root alone and a cluster of two, with work 0-99 of 200 pieces. */
    private static ScriptedNode node(StealingVariant variant) {
        Topology topology = Topology.ofSizes(1, MATES);
        Overlay overlay = Overlay.builder(topology)
                .connect(0, 1)
                .connect(0, 2)
                .connect(1, 2)
                .build();
        NodeSetup setup = new NodeSetup(1, topology, overlay, 0, PieceSet.empty(200), 1, 100, 100);
        ScriptedNode node =
                ScriptedNode.of(StealingNode.ofRobber(setup, variant)).startWith(0, 2);
        node.receive(2, "found-work");
        node.receive(0, "bitfield 0-49");
        return node;
    }

    private static List<String> storeFirst(ScriptedNode node, int pieces) {
        List<String> last = List.of();
        for (int piece = 0; piece < pieces; piece++) {
            assertThat(last).noneMatch(action -> action.contains("steal"));
            last = node.store(0, piece);
        }
        return last;
    }

    @Test
    void afterSomeProgressANodeComparesItsWorkWithAMates() {
        ScriptedNode node = node(StealingVariant.IMPROVED);
        assertThat(storeFirst(node, 12)).last().asString().startsWith("2: steal 12 having ");
    }

    @Test
    void aMateThatIsLevelStaysInTheLabourForce() {
        ScriptedNode node = node(StealingVariant.IMPROVED);
        storeFirst(node, 12);
        assertThat(node.receive(2, "work none")).isEmpty();
        for (int piece = 12; piece < 23; piece++) {
            assertThat(node.store(0, piece)).noneMatch(action -> action.contains("steal"));
        }
        assertThat(node.store(0, 23)).last().asString().startsWith("2: steal 24 having ");
    }

    @Test
    void whatWasTakenFromASlowMateIsWorkedOnBesidesTheOwn() {
        ScriptedNode node = node(StealingVariant.IMPROVED);
        storeFirst(node, 12);
        assertThat(node.receive(2, "work 190-199")).first().isEqualTo("0: desire 14-99,190-199");
        assertThat(node.ownWork()).isEqualTo("14-99,190-199");
    }

    @Test
    void aVictimKeepsWhatItCanDoInTheSameTime() {
        ScriptedNode victim = node(StealingVariant.IMPROVED);
        storeFirst(victim, 11);
        assertThat(victim.receive(2, "steal 50 having 42"))
                .as("it has stolen little")
                .containsExactly("2: work none");
        victim.store(0, 11);
        assertThat(victim.ownWork()).isEqualTo("14-99");
        // Of 86 + 42 pieces it does 26: it has stolen 12 (and counts as 13), the thief 50 (51).
        assertThat(victim.receive(2, "steal 50 having 42")).first().isEqualTo("2: work 14-73");
        assertThat(victim.receive(2, "steal 50 having 442")).containsExactly("2: work none");
    }

    @Test
    void aNodeThatIsLevellingMayBeRobbedItself() {
        ScriptedNode node = node(StealingVariant.IMPROVED);
        storeFirst(node, 12);
        assertThat(node.receive(2, "steal 8 having 0")).first().isEqualTo("2: work 14-49");
    }

    @Test
    void asPublishedANodeStealsOnlyWhenItHasNoWorkLeft() {
        ScriptedNode node = node(StealingVariant.PUBLISHED);
        assertThat(storeFirst(node, 50)).noneMatch(action -> action.contains("steal"));
        assertThat(node.receive(2, "steal 7 having 40")).first().isEqualTo("2: work 50-74");
    }
}

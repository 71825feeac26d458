package org.robber.core.steal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.robber.core.node.NodeSetup;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.DataPlacement.Range;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/** Two clusters of two nodes. Node 0 gathers 256 pieces: 128 to 191 from node 2, and 192 to 255 from node 3. Its mate has none. */
class MateRelaysTest {
    private static final int PIECES = 256;
    private static final long MILLIS = 1_000_000;

    private ScriptedNode root;

    private static ScriptedNode node(int rank, int mostRelayedPieces) {
        Topology topology = Topology.ofSizes(2, 2);
        DataPlacement gather = new DataPlacement(
                PIECES,
                List.of(new Range(0, 0, 128), new Range(2, 128, 192), new Range(3, 192, PIECES)),
                List.of(new Range(0, 0, PIECES)));
        return ScriptedNode.of(StealingNode.ofRobber(
                new NodeSetup(
                        rank,
                        topology,
                        Overlay.complete(topology),
                        gather.withRelays(mostRelayedPieces),
                        gather.possessedBy(rank),
                        1,
                        2,
                        1,
                        PIECES,
                        false),
                StealingVariant.IMPROVED));
    }

    @BeforeEach
    void startRoot() {
        root = node(0, PIECES).startWith(1, 2, 3);
        root.receive(2, "bitfield 128-191");
    }

    /** The root gets a piece after a tenth of a second; returns what it says to that. */
    private List<String> firstAnswer() {
        return root.at(100 * MILLIS).store(2, 128);
    }

    @Test
    void oneOfManyPiecesGoesThroughAMateThatLacksNothing() {
        root.receive(1, "done");
        assertThat(firstAnswer()).contains("1: work 191");
        assertThat(root.at(110 * MILLIS).store(2, 129)).noneMatch(word -> word.startsWith("1: work"));
    }

    @Test
    void noneGoesThroughAMateThatLacksSomething() {
        assertThat(firstAnswer()).noneMatch(word -> word.contains("work"));
    }

    @Test
    void oneGoesThroughAMateOfItsOwner() {
        root.receive(3, "done");
        assertThat(firstAnswer()).contains("3: work 191");
    }

    @Test
    void aQuickMateGetsMore() {
        root.receive(1, "done");
        firstAnswer();
        assertThat(root.at(110 * MILLIS).receive(1, "have 191")).contains("1: request 191");
        assertThat(root.at(111 * MILLIS).store(1, 191)).contains("1: work 189-190");
    }

    @Test
    void aSlowMateGetsOneAtATime() {
        root.receive(1, "done");
        firstAnswer();
        root.receive(1, "have 191");
        assertThat(root.at(190 * MILLIS).store(1, 191)).contains("1: work 190");
    }

    @Test
    void whatALostMateWasToBringIsOwnWorkAgain() {
        root.receive(1, "done");
        firstAnswer();
        assertThat(root.ownWork()).isEqualTo("131-190,194-255");
        root.lose(1);
        assertThat(root.ownWork()).isEqualTo("131-191,194-255");
    }

    @Test
    void whatAMateReturnsIsOwnWorkAgain() {
        root.receive(1, "done");
        firstAnswer();
        root.receive(1, "work 191");
        assertThat(root.ownWork()).isEqualTo("131-191,194-255");
    }

    @Test
    void whatWasRequestedOfALostMateIsOwnWorkAgain() {
        root.receive(1, "done");
        firstAnswer();
        root.receive(1, "have 191");
        assertThat(root.lose(1)).anyMatch(word -> word.startsWith("2: desire") && word.contains("131-191,194-255"));
        assertThat(root.ownWork()).isEqualTo("131-191,194-255");
    }

    @Test
    void whatWasRequestedOfAMateThatStallsIsOwnWorkAgain() {
        root.receive(1, "done");
        firstAnswer();
        root.receive(1, "have 191");
        assertThat(root.stall(1)).contains("1: cancel 191");
        assertThat(root.ownWork()).isEqualTo("131-191,194-255");
    }

    /** A connection that was made anew meanwhile knows nothing of it. */
    @Test
    void whatComesBackIsDesiredAgain() {
        root.receive(1, "done");
        firstAnswer();
        root.lose(2);
        assertThat(root.ready(2)).noneMatch(word -> word.contains("191"));
        assertThat(root.receive(1, "work 191")).anyMatch(word -> word.startsWith("2: desire"));
        assertThat(root.receive(2, "bitfield 191")).contains("2: request 191");
    }

    @Test
    void aMateThatReturnedSomethingGetsNoMore() {
        root.receive(1, "done");
        firstAnswer();
        root.receive(1, "work 191");
        assertThat(root.at(110 * MILLIS).store(2, 129)).noneMatch(word -> word.startsWith("1: work"));
    }

    /** It may have been taken back while the mate stalled. */
    @Test
    void aMateMayReturnWhatWasTakenBack() {
        root.receive(1, "done");
        firstAnswer();
        root.stall(1);
        assertThat(root.ownWork()).isEqualTo("131-191,194-255");
        assertThat(root.receive(1, "work 191")).isEmpty();
        assertThat(root.ownWork()).isEqualTo("131-191,194-255");
    }

    @Test
    void aMateFetchesAndPassesOnWhatItDoesNotWant() {
        ScriptedNode mate = node(1, PIECES).startWith(0, 2, 3);
        mate.receive(0, "desire 64-255");
        assertThat(mate.receive(0, "work 191")).containsExactly("2: desire 191");
        assertThat(mate.receive(2, "bitfield 191")).containsExactly("2: request 191");
        assertThat(mate.store(2, 191)).containsExactly("0: have 191");
        assertThat(mate.receive(0, "request 191")).containsExactly("0: piece 191");
    }

    @Test
    void aMateOfTheOwnerFetchesThePieceInItsCluster() {
        ScriptedNode relay = node(3, PIECES).startWith(0, 1, 2);
        relay.receive(0, "desire 64-255");
        assertThat(relay.receive(0, "work 191")).containsExactly("2: desire 191");
        assertThat(relay.receive(2, "bitfield 191")).containsExactly("2: request 191");
        assertThat(relay.store(2, 191)).containsExactly("0: have 191");
    }

    @Test
    void aMateReturnsWhatExceedsItsMemory() {
        ScriptedNode mate = node(1, 1).startWith(0, 2, 3);
        assertThat(mate.receive(0, "work 190-191")).containsExactly("2: desire 190", "0: work 191");
    }

    @Test
    void aMateWithoutMemoryReturnsEverything() {
        ScriptedNode mate = node(1, 0).startWith(0, 2, 3);
        assertThat(mate.receive(0, "work 190-191")).containsExactly("0: work 190-191");
    }

    @Test
    void aMateReturnsWhatAStalledOwnerWouldHaveToSend() {
        ScriptedNode mate = node(1, PIECES).startWith(0, 2, 3);
        mate.receive(0, "work 191");
        assertThat(mate.stall(2)).contains("0: work 191");
        assertThat(mate.receive(0, "work 190")).containsExactly("0: work 190");
    }

    @Test
    void aMateKeepsWhatAnotherLossDoesNotConcern() {
        ScriptedNode mate = node(1, PIECES).startWith(0, 2, 3);
        mate.receive(0, "work 191");
        assertThat(mate.lose(3)).doesNotContain("0: work 191");
    }

    @Test
    void aMateReturnsWhatItCannotGetAnyMore() {
        ScriptedNode mate = node(1, PIECES).startWith(0, 2, 3);
        mate.receive(0, "work 191");
        mate.receive(2, "bitfield 191");
        assertThat(mate.lose(2)).contains("0: work 191");
    }

    @Test
    void aMateDropsWhatTheRootHasGotOtherwise() {
        ScriptedNode mate = node(1, PIECES).startWith(0, 2, 3);
        mate.receive(0, "work 191");
        mate.receive(2, "bitfield 191");
        assertThat(mate.receive(0, "done")).contains("2: cancel 191");
    }
}

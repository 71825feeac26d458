package org.robber.core.steal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.robber.core.node.Fabric;
import org.robber.core.node.InCoreNetwork;
import org.robber.core.node.InCoreNetwork.Faults;
import org.robber.core.node.NodeCounters;
import org.robber.core.topology.OverlayPlanner;
import org.robber.core.topology.Topology;

/** What went wrong in the published implementation, and does not here. */
class OriginalDefectsTest {

    @ParameterizedTest
    @CsvSource({"1,7,61", "2,11,15"})
    void theLastPieceHasAnOwner(int rootClusterSize, int clusterSize, int pieceCount) {
        runAll(pieceCount, rootClusterSize, clusterSize);
    }

    @ParameterizedTest
    @CsvSource({"7,29", "11,25", "19,21", "25,7"})
    void everyRankHasItsShareOfPeers(int rootClusterSize, int clusterSize) {
        runAll(40, rootClusterSize, clusterSize);
    }

    @ParameterizedTest
    @CsvSource({"1,1,1", "4,1,1", "1,4,1", "1,1,6"})
    void aNodeMayBeAloneInItsCluster(int rootClusterSize, int clusterSize, int otherClusterSize) {
        runAll(20, rootClusterSize, clusterSize, otherClusterSize);
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "2"})
    void thereMayBeFewerPiecesThanNodes(int pieceCount) {
        runAll(pieceCount, 3, 5, 4);
    }

    @Test
    void aClusterMayBeAllThereIs() {
        runAll(20, 1);
        runAll(20, 8);
    }

    @Test
    void aLastPieceCanBeStolen() {
        ScriptedNode victim = ScriptedNode.connectedToAll(1, 2, 5, 1, 2).startWith(0, 2);
        assertThat(victim.receive(2, "steal 1")).containsExactly("2: work 0", "0: desire none");
    }

    @Test
    void aRequestForAPieceThatIsNotHereIsAnswered() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 2, 5, 1, 2).startWith(0, 2);
        assertThat(node.receive(2, "request 1")).containsExactly("2: reject 1");
    }

    @Test
    void aPieceThatComesTwiceTakesNoPlaceInAWindow() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 8, 1, 1, 2).startWith(0, 2);
        node.receive(0, "bitfield 0");
        assertThat(node.store(0, 0)).isEmpty();
        assertThat(node.store(0, 0)).isEmpty();
        assertThat(node.store(2, 0)).isEmpty();
        assertThat(node.receive(0, "have 1")).containsExactly("0: request 1");
        assertThat(node.node().counters()).isEqualTo(new NodeCounters(0, 1, 0, 0, 0));
    }

    @Test
    void whatWasAskedOfALostPeerIsAskedOfAnother() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 2, 5, 1, 1, 1).startWith(0, 2);
        node.receive(0, "bitfield 0-1");
        node.receive(2, "bitfield 0-1");
        assertThat(node.lose(0)).containsExactlyInAnyOrder("2: request 0", "2: request 1");
    }

    @Test
    void aNodeWithoutAnybodyOutsideGivesAllItsWorkAway() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 12, 5, 1, 2).startWith(0, 2);
        assertThat(node.lose(0)).containsExactly("2: found-work");
        assertThat(node.receive(2, "steal 0")).containsExactly("2: work 0-5");
    }

    @Test
    void theNextMulticastBeginsFromZero() {
        ScriptedNode first = ScriptedNode.connectedToAll(1, 1, 5, 1, 1).startWith(0);
        first.receive(0, "bitfield 0");
        first.store(0, 0);
        ScriptedNode second = ScriptedNode.connectedToAll(1, 1, 5, 1, 1).startWith(0);
        assertThat(second.node().counters()).isEqualTo(new NodeCounters(0, 0, 0, 0, 0));
        assertThat(second.receive(0, "bitfield 0")).containsExactly("0: request 0");
    }

    private static void runAll(int pieceCount, int... clusterSizes) {
        Topology topology = Topology.ofSizes(clusterSizes);
        List<StealingNode> nodes = new ArrayList<>();
        InCoreNetwork network = new InCoreNetwork(
                topology,
                OverlayPlanner.plan(topology, OverlayPlanner.PUBLISHED_LOCAL_DEGREE, 1),
                pieceCount,
                5,
                1,
                Fabric.uniform(1_000_000, 500_000),
                Faults.NONE,
                setup -> {
                    nodes.add(StealingNode.ofRobber(setup, StealingVariant.PUBLISHED));
                    return nodes.get(nodes.size() - 1);
                });
        network.check(new WorkChecker(nodes, 5, StealingVariant.PUBLISHED)).runToTheEnd(1_000_000);
        for (int cluster = 1; cluster < clusterSizes.length; cluster++) {
            assertThat(Arrays.stream(network.arrivals(cluster)).sum())
                    .as("pieces that entered cluster %s", cluster)
                    .isEqualTo(pieceCount);
        }
    }
}

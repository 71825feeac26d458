package org.robber.core.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.robber.core.node.Fabric;
import org.robber.core.node.InCoreNetwork;
import org.robber.core.node.InCoreNetwork.Faults;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.NodeSetup;
import org.robber.core.piece.PieceSet;
import org.robber.core.steal.StealingNode;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

class AutoStrategyTest {
    private static final MulticastStrategy AUTO = new AutoStrategy();

    @Test
    void oneReceiverGetsAStreamAndLargeDataGoesByRobber() {
        assertThat(node(Topology.ofSizes(1, 1), 1000, 1 << 20)).isNotInstanceOf(StealingNode.class);
        assertThat(node(Topology.ofSizes(2, 2), 1000, 1 << 20)).isInstanceOf(StealingNode.class);
    }

    @Test
    void smallDataGoesByATree() {
        int pieceBytes = 1 << 15;
        int most = (int) (AutoStrategy.LARGEST_TREE_BYTES / pieceBytes);
        assertThat(node(Topology.ofSizes(2, 2), most, pieceBytes)).isNotInstanceOf(StealingNode.class);
        assertThat(node(Topology.ofSizes(2, 2), most + 1, pieceBytes)).isInstanceOf(StealingNode.class);
        assertThat(node(Topology.ofSizes(2, 2), 0, pieceBytes)).isNotInstanceOf(StealingNode.class);
    }

    @Test
    void itIsTheSizeOfTheDataThatCountsAndNotThatOfWholePieces() {
        Topology topology = Topology.ofSizes(2, 2);
        Overlay overlay = AUTO.planOverlay(topology, 1);
        int pieceBytes = 1 << 20;
        assertThat(AUTO.createNode(setup(topology, overlay, 1, pieceBytes, 100_000)))
                .as("one short piece")
                .isNotInstanceOf(StealingNode.class);
        assertThat(AUTO.createNode(setup(topology, overlay, 1, pieceBytes, AutoStrategy.LARGEST_TREE_BYTES + 1)))
                .isInstanceOf(StealingNode.class);
    }

    private static NodeSetup setup(Topology topology, Overlay overlay, int pieces, int pieceBytes, long totalBytes) {
        return new NodeSetup(
                1,
                topology,
                overlay,
                DataPlacement.ofRoot(0, pieces),
                PieceSet.empty(pieces),
                1,
                5,
                pieceBytes,
                totalBytes,
                false);
    }

    @Test
    void aSmallMessageArrivesSoonerThanByRobberAndEntersEachClusterOnce() {
        Topology topology = Topology.ofSizes(8, 8, 8, 8);
        InCoreNetwork byTree = run(AUTO, topology);
        InCoreNetwork byRobber = run(Strategies.byName("robber"), topology);
        assertThat(lastNanos(byTree, topology)).isLessThan(lastNanos(byRobber, topology));
        for (int cluster = 1; cluster < 4; cluster++) {
            assertThat(byTree.arrivals(cluster)).containsOnly(1);
        }
    }

    private static long lastNanos(InCoreNetwork network, Topology topology) {
        long last = 0;
        for (int rank = 0; rank < topology.size(); rank++) {
            last = Math.max(last, network.completedAtNanos(rank));
        }
        return last;
    }

    private static InCoreNetwork run(MulticastStrategy strategy, Topology topology) {
        return new InCoreNetwork(
                        topology,
                        strategy.planOverlay(topology, 1),
                        2,
                        5,
                        1,
                        Fabric.uniform(100_000, 20_000_000),
                        Faults.NONE,
                        strategy::createNode)
                .runToTheEnd(100_000);
    }

    private static MulticastNode node(Topology topology, int pieces, int pieceBytes) {
        Overlay overlay = AUTO.planOverlay(topology, 1);
        return AUTO.createNode(new NodeSetup(1, topology, overlay, 0, PieceSet.empty(pieces), 1, 5, pieceBytes));
    }
}

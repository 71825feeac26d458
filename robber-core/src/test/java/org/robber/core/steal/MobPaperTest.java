package org.robber.core.steal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.node.Fabric;
import org.robber.core.node.InCoreNetwork;
import org.robber.core.node.InCoreNetwork.Faults;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.NodeSetup;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/** What the paper says of MOB, and what became of the original's defects. */
class MobPaperTest {
    private static final int SLOW_NODE = 5;

    @Test
    void eachMemberStealsAnEqualShareWhateverItsLineIsLike() {
        Topology topology = Topology.ofSizes(4, 4);
        InCoreNetwork network = network(topology, 400, new Fabric() {
                    @Override
                    public long cardNanos(int rank) {
                        return 100_000;
                    }

                    @Override
                    public long linkNanos(int fromRank, int toRank) {
                        return topology.sameCluster(fromRank, toRank)
                                ? 0
                                : toRank == SLOW_NODE ? 10_000_000 : 1_000_000;
                    }

                    @Override
                    public long latencyNanos(int fromRank, int toRank) {
                        return 100_000;
                    }
                })
                .runToTheEnd(1_000_000);
        for (int rank = 4; rank < 8; rank++) {
            assertThat(network.node(rank).counters().piecesStolenGlobal())
                    .as("stolen by rank %s", rank)
                    .isEqualTo(100);
        }
    }

    @Test
    void everyPieceEntersEveryClusterOnce() {
        InCoreNetwork network = network(Topology.ofSizes(3, 4, 1, 7), 61, Fabric.uniform(100_000, 1_000_000))
                .runToTheEnd(1_000_000);
        for (int cluster = 1; cluster < 4; cluster++) {
            assertThat(Arrays.stream(network.arrivals(cluster))).allMatch(copies -> copies == 1);
        }
    }

    @Test
    void noWorkIsStolenOrAnnounced() {
        Topology topology = Topology.ofSizes(1, 2);
        Overlay overlay = Overlay.builder(topology).connect(0, 1).connect(1, 2).build();
        MulticastNode node = node(1, topology, overlay, 4);
        assertThat(node.handle(0, new Event.PeerReady(2)))
                .containsExactly(new Action.Send(2, new Message.Desire(PieceSet.full(4))));
        assertThat(node.handle(0, new Event.PeerReady(0)))
                .containsExactly(new Action.Send(0, new Message.Desire(PieceSet.range(4, 0, 2))));
        assertThat(node.handle(0, new Event.Received(2, new Message.Steal(0, 0))))
                .first()
                .isInstanceOf(Action.Disconnect.class);
    }

    @Test
    void workThatWasRefusedIsDesiredAgain() {
        Topology topology = Topology.ofSizes(1, 1, 1);
        Overlay overlay = Overlay.builder(topology).connect(0, 1).connect(1, 2).build();
        MulticastNode node = node(1, topology, overlay, 1);
        node.handle(0, new Event.PeerReady(0));
        node.handle(0, new Event.PeerReady(2));
        assertThat(node.handle(0, new Event.Received(0, new Message.Bitfield(PieceSet.full(1)))))
                .containsExactly(new Action.Send(0, new Message.Request(0)));
        List<Action> actions = node.handle(0, new Event.PeerLost(0));
        assertThat(actions).containsExactly(new Action.Send(2, new Message.Desire(PieceSet.full(1))));
    }

    /** The original crashed with a node alone in its cluster, and hung where floating point lost the last piece. */
    @Test
    void unevenClustersAreServed() {
        for (int[] sizes : new int[][] {{1, 1}, {7, 1}, {1, 7}, {2, 11}, {7, 29}, {25, 7}}) {
            for (int pieces : new int[] {1, 15, 61}) {
                InCoreNetwork network = network(Topology.ofSizes(sizes), pieces, Fabric.uniform(100_000, 1_000_000))
                        .runToTheEnd(1_000_000);
                assertThat(IntStream.range(0, sizes[0] + sizes[1]))
                        .allMatch(rank -> network.node(rank).possession().isFull());
            }
        }
    }

    private static MulticastNode node(int rank, Topology topology, Overlay overlay, int pieces) {
        MulticastNode node = new MobStrategy()
                .createNode(
                        new NodeSetup(rank, topology, overlay, 0, PieceSet.empty(pieces), 1, 5, 1),
                        StealingVariant.PUBLISHED);
        node.start(0);
        return node;
    }

    private static InCoreNetwork network(Topology topology, int pieces, Fabric fabric) {
        MobStrategy strategy = new MobStrategy();
        return new InCoreNetwork(
                topology,
                strategy.planOverlay(topology, 3),
                pieces,
                NodeSetup.PUBLISHED_REQUEST_WINDOW,
                3,
                fabric,
                Faults.NONE,
                strategy::createNode);
    }
}

package org.robber.core.steal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.robber.core.node.Fabric;
import org.robber.core.node.InCoreNetwork;
import org.robber.core.node.InCoreNetwork.Faults;
import org.robber.core.topology.OverlayPlanner;
import org.robber.core.topology.Topology;

/** Four nodes hold the data's cluster, four more receive it, and one of these has a tenth of the others' rate. */
class SlowNodeTest {
    private static final int PIECES = 1000;
    private static final int EQUAL_SHARE = PIECES / 4;
    private static final int SLOW_NODE = 5;
    private static final Topology TOPOLOGY = Topology.ofSizes(4, 4);

    @Test
    void aNodeWithASlowLinkToOutsideCarriesLessAndTheClusterIsDoneSooner() {
        Fabric slowLink = fabric(100_000, 10_000_000);
        InCoreNetwork stealing = network(slowLink).runToTheEnd(1_000_000);
        InCoreNetwork staticShares = network(slowLink).muteFoundWork().runToTheEnd(1_000_000);

        assertThat(stolenBySlowNode(stealing)).isBetween(1, EQUAL_SHARE / 2);
        assertThat(stolenBySlowNode(staticShares)).isEqualTo(EQUAL_SHARE);
        assertThat(lastCompletedNanos(stealing)).isLessThan(lastCompletedNanos(staticShares) / 2);
    }

    @Test
    void aNodeWithASlowCardCarriesLessAndTheOthersAreDoneSooner() {
        Fabric slowCard = fabric(1_000_000, 1_000_000);
        InCoreNetwork stealing = network(slowCard).runToTheEnd(1_000_000);
        InCoreNetwork staticShares = network(slowCard).muteFoundWork().runToTheEnd(1_000_000);

        assertThat(stolenBySlowNode(stealing)).isBetween(1, EQUAL_SHARE / 2);
        assertThat(lastOtherCompletedNanos(stealing)).isLessThan(lastOtherCompletedNanos(staticShares) / 2);
        // The slow node itself has to take in every piece, whoever steals it.
        assertThat(lastCompletedNanos(stealing)).isLessThan((long) (lastCompletedNanos(staticShares) * 1.05));
    }

    private static InCoreNetwork network(Fabric fabric) {
        return new InCoreNetwork(
                TOPOLOGY,
                OverlayPlanner.plan(TOPOLOGY, OverlayPlanner.PUBLISHED_LOCAL_DEGREE, 3),
                PIECES,
                5,
                3,
                fabric,
                Faults.NONE,
                setup -> StealingNode.ofRobber(setup, StealingVariant.IMPROVED));
    }

    /** Cards take 0.1 ms a piece, connections between clusters 1 ms, but for those of the slow node. */
    private static Fabric fabric(long slowCardNanos, long slowLinkNanos) {
        return new Fabric() {
            @Override
            public long cardNanos(int rank) {
                return rank == SLOW_NODE ? slowCardNanos : 100_000;
            }

            @Override
            public long linkNanos(int fromRank, int toRank) {
                if (TOPOLOGY.sameCluster(fromRank, toRank)) {
                    return 0;
                }
                return toRank == SLOW_NODE ? slowLinkNanos : 1_000_000;
            }

            @Override
            public long latencyNanos(int fromRank, int toRank) {
                return 100_000;
            }
        };
    }

    private static int stolenBySlowNode(InCoreNetwork network) {
        return network.node(SLOW_NODE).counters().piecesStolenGlobal();
    }

    private static long lastCompletedNanos(InCoreNetwork network) {
        return IntStream.range(0, TOPOLOGY.size())
                .mapToLong(network::completedAtNanos)
                .max()
                .orElseThrow();
    }

    private static long lastOtherCompletedNanos(InCoreNetwork network) {
        return IntStream.range(0, TOPOLOGY.size())
                .filter(rank -> rank != SLOW_NODE)
                .mapToLong(network::completedAtNanos)
                .max()
                .orElseThrow();
    }
}

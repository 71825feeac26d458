package org.robber.core.rivals.tree.plan;

import com.google.common.primitives.Ints;
import java.util.Comparator;
import java.util.List;
import org.robber.core.topology.Topology;

/** The part of the bandwidth of each network card that is in use, in one direction. */
final class Load {
    private final Topology topology;
    private final Card card;
    private final double[] taken;
    private final int[] connections;

    /** What the card of a member can carry. */
    interface Card {
        double rate(int cluster, int index);
    }

    Load(Topology topology, Card card) {
        this.topology = topology;
        this.card = card;
        this.taken = new double[topology.size()];
        this.connections = new int[topology.size()];
    }

    /** The rate of the fastest card of the cluster. */
    double bestCard(int cluster) {
        double best = 0;
        for (int index = 0; index < topology.clusterSize(cluster); index++) {
            best = Math.max(best, card.rate(cluster, index));
        }
        return best;
    }

    /** Takes something of the cards that have most left: of so many nodes of the cluster, returned by rank. */
    int[] take(int cluster, int nodes, double rate) {
        List<Integer> ranks = Ints.asList(topology.members(cluster));
        ranks.sort(Comparator.comparingDouble((Integer rank) -> -left(rank))
                .thenComparingInt(rank -> connections[rank])
                .thenComparingInt(topology::indexInCluster));
        int[] chosen = ranks.stream().limit(nodes).mapToInt(Integer::intValue).toArray();
        for (int rank : chosen) {
            taken[rank] += rate;
            connections[rank]++;
        }
        return chosen;
    }

    private double left(int rank) {
        return card.rate(topology.clusterOf(rank), topology.indexInCluster(rank)) - taken[rank];
    }
}

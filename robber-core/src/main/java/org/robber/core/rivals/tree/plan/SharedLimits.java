package org.robber.core.rivals.tree.plan;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Doubles;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.robber.core.topology.ClusterBandwidths;

/**
 * The limits that trees share when they are used at the same time: of links, and of what clusters send and receive. Immutable.
 *
 * <p>Each limit is a row: how often each tree uses what is limited, and how much of it there is. Unlimited things have none.
 */
final class SharedLimits {
    /** Trees times links: 160 MB, enough for 64 clusters whose links all differ. */
    private static final int MOST_USES = 20_000_000;

    private final ClusterBandwidths network;
    private final ImmutableList<ClusterTree> trees;
    private final List<double[]> uses = new ArrayList<>();
    private final List<Double> most = new ArrayList<>();

    private SharedLimits(ClusterBandwidths network, ImmutableList<ClusterTree> trees) {
        this.network = network;
        this.trees = trees;
    }

    /**
     * The limits of trees.
     *
     * @throws IllegalArgumentException if there are too many trees and links to plan with
     */
    static SharedLimits of(ClusterBandwidths network, ImmutableList<ClusterTree> trees) {
        SharedLimits limits = new SharedLimits(network, trees);
        limits.checkSize();
        for (int cluster = 0; cluster < network.clusterCount(); cluster++) {
            limits.limitCluster(cluster);
            for (int to = 0; to < network.clusterCount(); to++) {
                limits.limitLink(cluster, to);
            }
        }
        return limits;
    }

    private void checkSize() {
        int count = network.clusterCount();
        BitSet links = new BitSet(count * count);
        for (ClusterTree tree : trees) {
            for (int to = 0; to < count; to++) {
                int from = tree.parents()[to];
                if (from != Stripe.NONE && Double.isFinite(network.rate(from, to))) {
                    links.set(from * count + to);
                }
            }
        }
        checkArgument(
                (long) links.cardinality() * trees.size() <= MOST_USES,
                "%s clusters whose links differ are too many to plan for: %s trees use %s links; %s",
                count,
                trees.size(),
                links.cardinality(),
                Infeasible.OTHER_STRATEGIES);
    }

    /** A row for each limit: how often each tree uses it. Some tree uses it. */
    double[][] uses() {
        return uses.toArray(new double[0][]);
    }

    /** By the same rows, how much there is; finite. */
    double[] most() {
        return Doubles.toArray(most);
    }

    private void limitCluster(int cluster) {
        double[] sent = new double[trees.size()];
        double[] received = new double[trees.size()];
        for (int i = 0; i < sent.length; i++) {
            sent[i] = trees.get(i).outdegree(cluster);
            received[i] = trees.get(i).parents()[cluster] == Stripe.NONE ? 0 : 1;
        }
        limit(sent, network.up(cluster));
        limit(received, network.down(cluster));
    }

    private void limitLink(int from, int to) {
        double[] used = new double[trees.size()];
        for (int i = 0; i < used.length; i++) {
            used[i] = trees.get(i).parents()[to] == from ? 1 : 0;
        }
        limit(used, network.rate(from, to));
    }

    private void limit(double[] used, double limit) {
        if (Double.isFinite(limit) && Doubles.max(used) > 0) {
            uses.add(used);
            most.add(limit);
        }
    }
}

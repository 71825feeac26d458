package org.robber.core.rivals.tree.plan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ObjectArrays;
import com.google.common.primitives.Doubles;
import java.util.Arrays;
import org.robber.core.topology.ClusterBandwidths;

/**
 * The rates of trees that share links and clusters. In all they are as high as possible. No link carries, and no cluster sends or
 * receives, more than it can.
 *
 * <p>Source: den Burger, Kielmann and Bal, "Balanced Multicasting: High-throughput Communication for Grid Applications",
 * SC 2005.
 */
public final class Balance {

    private Balance() {}

    /** Those of the candidates that carry anything, with their rates. */
    public static ImmutableList<ClusterTree> of(ClusterBandwidths network, ImmutableList<ClusterTree> candidates) {
        return of(network, candidates, TreePackingProgram.MOST_WORK);
    }

    /** The same with a limit of the work, as {@link TreePackingProgram} counts it. */
    static ImmutableList<ClusterTree> of(
            ClusterBandwidths network, ImmutableList<ClusterTree> candidates, long mostWork) {
        if (network.clusterCount() == 1) {
            return candidates;
        }
        SharedLimits limits = SharedLimits.of(network, candidates);
        double[][] uses = limits.uses();
        double[] most = limits.most();
        double cut = narrowestCut(network, candidates.get(0));
        if (Double.isFinite(cut)) {
            double[] all = new double[candidates.size()];
            Arrays.fill(all, 1);
            uses = ObjectArrays.concat(uses, all);
            most = Doubles.concat(most, new double[] {cut});
        }
        double[] rates = TreePackingProgram.maximise(uses, most, candidates.size(), mostWork);
        double best = Doubles.max(rates);
        if (best <= 0) {
            throw Infeasible.of(network, candidates);
        }
        ImmutableList.Builder<ClusterTree> trees = ImmutableList.builder();
        for (int i = 0; i < rates.length; i++) {
            if (rates[i] > best * 1e-9) {
                trees.add(candidates.get(i).withRate(rates[i]));
            }
        }
        return trees.build();
    }

    /**
     * What all trees together carry at most: all that leaves the root's cluster, or enters another. The other limits imply
     * this one. But as a row of its own it ends the search at once where FPFR's trees have exhausted the links of a cluster. That
     * is the usual case. Without the row, the search goes on much longer to prove that nothing is left to gain.
     */
    private static double narrowestCut(ClusterBandwidths network, ClusterTree tree) {
        double least = Double.POSITIVE_INFINITY;
        for (int cluster = 0; cluster < network.clusterCount(); cluster++) {
            boolean isRoot = tree.parents()[cluster] == Stripe.NONE;
            double sum = 0;
            for (int other = 0; other < network.clusterCount(); other++) {
                if (other != cluster) {
                    sum += isRoot ? network.rate(cluster, other) : network.rate(other, cluster);
                }
            }
            least = Math.min(least, Math.min(sum, isRoot ? network.up(cluster) : network.down(cluster)));
        }
        return least;
    }
}

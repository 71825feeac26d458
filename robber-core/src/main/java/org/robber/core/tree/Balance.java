package org.robber.core.tree;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Doubles;
import org.robber.core.topology.ClusterNetwork;

/**
 * The rates of trees that share links and clusters: as much as possible in all, and nowhere more than a link carries or a
 * cluster sends and receives.
 *
 * <p>Source: den Burger, Kielmann and Bal, "Balanced Multicasting: High-throughput Communication for Grid Applications",
 * SC 2005.
 */
final class Balance {

    private Balance() {}

    /** Those of the candidates that carry anything, with their rates. */
    static ImmutableList<ClusterTree> of(ClusterNetwork network, ImmutableList<ClusterTree> candidates) {
        if (network.clusterCount() == 1) {
            return candidates;
        }
        SharedLimits limits = SharedLimits.of(network, candidates);
        double[] rates = PackingProgram.maximise(limits.uses(), limits.most(), candidates.size());
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
}

package org.robber.core.rivals.tree;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.SortedMap;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.StrategyOptions;
import org.robber.core.rivals.tree.plan.Balance;
import org.robber.core.rivals.tree.plan.ClusterTree;
import org.robber.core.rivals.tree.plan.ClusterTrees;
import org.robber.core.topology.ClusterBandwidths;

/**
 * Balanced Multicasting: the trees of FPFR, at rates that together ask neither too much of a link nor of a cluster. Pieces leave
 * the root's cluster at these rates. Found by its name, {@value #NAME}.
 */
public final class BalancedStrategy extends PlannedStrategy {

    /** The name by which users choose it. */
    public static final String NAME = "balanced";

    private static final String EXACT = "exact";
    private static final String SAFE = "safe";

    private static final ImmutableSortedMap<String, String> OPTIONS = ImmutableSortedMap.of(
            EXACT,
            "consider all trees there are, for at most " + ClusterTrees.MAX_CLUSTERS_FOR_ALL + " clusters",
            SAFE,
            "consider the flat and the maximum-bottleneck tree, too");

    public BalancedStrategy() {
        this(StrategyOptions.NONE);
    }

    private BalancedStrategy(StrategyOptions options) {
        super(NAME, options, /* isPaced= */ true);
    }

    @Override
    public SortedMap<String, String> options() {
        return OPTIONS;
    }

    @Override
    public MulticastStrategy with(StrategyOptions options) {
        return new BalancedStrategy(options);
    }

    @Override
    ImmutableList<ClusterTree> clusterTrees(ClusterBandwidths network, int rootCluster) {
        ImmutableList.Builder<ClusterTree> candidates = ImmutableList.builder();
        if (chosen().flags().contains(EXACT)) {
            candidates.addAll(ClusterTrees.all(network, rootCluster));
        } else {
            candidates.addAll(ClusterTrees.fpfr(network, rootCluster));
        }
        if (chosen().flags().contains(SAFE)) {
            candidates.add(ClusterTrees.flat(network, rootCluster));
            candidates.add(ClusterTrees.maxBottleneck(network, rootCluster));
        }
        return Balance.of(network, candidates.build());
    }
}

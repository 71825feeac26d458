package org.robber.core.rivals.tree;

import com.google.common.collect.ImmutableList;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.StrategyOptions;
import org.robber.core.rivals.tree.plan.ClusterTree;
import org.robber.core.rivals.tree.plan.ClusterTrees;
import org.robber.core.rivals.tree.plan.Infeasible;
import org.robber.core.topology.ClusterBandwidths;

/** The maximum-bottleneck tree: the one tree of clusters whose slowest link is the fastest. Found by its name, {@value #NAME}. */
public final class MaxBottleneckStrategy extends PlannedStrategy {

    /** The name by which users choose it. */
    public static final String NAME = "max-bottleneck";

    public MaxBottleneckStrategy() {
        this(StrategyOptions.NONE);
    }

    private MaxBottleneckStrategy(StrategyOptions options) {
        super(NAME, options, /* isPaced= */ false);
    }

    @Override
    public MulticastStrategy with(StrategyOptions options) {
        return new MaxBottleneckStrategy(options);
    }

    @Override
    ImmutableList<ClusterTree> clusterTrees(ClusterBandwidths network, int rootCluster) {
        ImmutableList<ClusterTree> tree = ImmutableList.of(ClusterTrees.maxBottleneck(network, rootCluster));
        if (tree.get(0).rate() <= 0) {
            throw Infeasible.of(network, tree);
        }
        return tree;
    }
}

package org.robber.core.rivals.tree;

import com.google.common.collect.ImmutableList;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.StrategyOptions;
import org.robber.core.rivals.tree.plan.ClusterTree;
import org.robber.core.rivals.tree.plan.ClusterTrees;
import org.robber.core.rivals.tree.plan.Contention;
import org.robber.core.topology.ClusterBandwidths;

/**
 * Fast Parallel File Replication: many trees at once, none of them paced. Found by its name, {@value #NAME}.
 *
 * <p>The original deals chunks of a fixed size to its trees. Here each tree has its part of the data from the start. In a network
 * that does not change, dealing would give it the same part ({@link Contention}).
 */
public final class FpfrStrategy extends PlannedStrategy {

    /** The name by which users choose it. */
    public static final String NAME = "fpfr";

    public FpfrStrategy() {
        this(StrategyOptions.NONE);
    }

    private FpfrStrategy(StrategyOptions options) {
        super(NAME, options, /* isPaced= */ false);
    }

    @Override
    public MulticastStrategy with(StrategyOptions options) {
        return new FpfrStrategy(options);
    }

    @Override
    ImmutableList<ClusterTree> clusterTrees(ClusterBandwidths network, int rootCluster) {
        return Contention.of(network, ClusterTrees.fpfr(network, rootCluster));
    }
}

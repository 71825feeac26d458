package org.robber.core.rivals.tree;

import org.robber.core.node.StrategyLimits;
import org.robber.core.rivals.tree.plan.NodeTrees;
import org.robber.core.topology.Topology;

/** The root sends all data to each node over a connection of its own. Found by its name, {@value #NAME}. */
public final class MultiTcpStrategy extends SingleTreeStrategy {

    /** The name by which users choose it. */
    public static final String NAME = "multitcp";

    public MultiTcpStrategy() {
        super(NAME);
    }

    @Override
    int copiesPerCluster() {
        return StrategyLimits.UNLIMITED;
    }

    @Override
    int[] parents(Topology topology) {
        return NodeTrees.star(topology);
    }
}

package org.robber.core.rivals.tree;

import org.robber.core.node.StrategyLimits;
import org.robber.core.rivals.tree.plan.Forest;
import org.robber.core.rivals.tree.plan.NodeTrees;
import org.robber.core.topology.Topology;

/** The root sends all data to each node over a connection of its own. Found by its name, {@value #NAME}. */
public final class MultiTcpStrategy extends TreeStrategy {

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
    Forest plan(Topology topology) {
        return Forest.of(NodeTrees.star(topology));
    }
}

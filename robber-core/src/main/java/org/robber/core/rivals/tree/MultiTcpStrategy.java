package org.robber.core.rivals.tree;

import org.robber.core.node.StrategyLimits;
import org.robber.core.rivals.tree.plan.NodeTrees;

/** The root sends all data to each node over a connection of its own. Found by its name, {@value #NAME}. */
public final class MultiTcpStrategy extends SingleTreeStrategy {

    /** The name by which users choose it. */
    public static final String NAME = "multitcp";

    public MultiTcpStrategy() {
        super(NAME, StrategyLimits.UNLIMITED, NodeTrees::star);
    }
}

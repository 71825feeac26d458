package org.robber.core.rivals.tree;

import org.robber.core.node.StrategyLimits;
import org.robber.core.rivals.tree.plan.NodeTrees;

/** The binomial tree over all ranks, as MPI libraries broadcast small messages. Found by its name, {@value #NAME}. */
public final class BinomialStrategy extends SingleTreeStrategy {

    /** The name by which users choose it. */
    public static final String NAME = "binomial";

    public BinomialStrategy() {
        super(NAME, StrategyLimits.UNLIMITED, NodeTrees::binomial);
    }
}

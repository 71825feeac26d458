package org.robber.core.rivals.tree;

import org.robber.core.rivals.tree.plan.NodeTrees;

/** A pipelined chain through all nodes, cluster by cluster. Found by its name, {@value #NAME}. */
public final class ChainStrategy extends SingleTreeStrategy {

    /** The name by which users choose it. */
    public static final String NAME = "chain";

    public ChainStrategy() {
        super(NAME, 1, NodeTrees::chain);
    }
}

package org.robber.core.rivals.tree;

import org.robber.core.rivals.tree.plan.Forest;
import org.robber.core.rivals.tree.plan.NodeTrees;
import org.robber.core.topology.Topology;

/** A pipelined chain through all nodes, cluster by cluster. Found by its name, {@value #NAME}. */
public final class ChainStrategy extends TreeStrategy {

    /** The name by which users choose it. */
    public static final String NAME = "chain";

    public ChainStrategy() {
        super(NAME);
    }

    @Override
    Forest plan(Topology topology) {
        return Forest.of(NodeTrees.chain(topology));
    }
}

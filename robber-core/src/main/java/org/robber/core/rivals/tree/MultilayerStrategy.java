package org.robber.core.rivals.tree;

import org.robber.core.rivals.tree.plan.Forest;
import org.robber.core.rivals.tree.plan.NodeTrees;
import org.robber.core.topology.Topology;

/** The multilevel tree of MPICH-G2: a tree of as many levels as the names of clusters have. Found by its name, {@value #NAME}. */
public final class MultilayerStrategy extends TreeStrategy {

    /** The name by which users choose it. */
    public static final String NAME = "multilayer";

    public MultilayerStrategy() {
        super(NAME);
    }

    @Override
    Forest plan(Topology topology) {
        return Forest.of(NodeTrees.multilayer(topology));
    }
}

package org.robber.core.rivals.tree;

import org.robber.core.rivals.tree.plan.NodeTrees;

/** The multilevel tree of MPICH-G2: a tree of as many levels as the names of clusters have. Found by its name, {@value #NAME}. */
public final class MultilayerStrategy extends SingleTreeStrategy {

    /** The name by which users choose it. */
    public static final String NAME = "multilayer";

    public MultilayerStrategy() {
        super(NAME, 1, NodeTrees::multilayer);
    }
}

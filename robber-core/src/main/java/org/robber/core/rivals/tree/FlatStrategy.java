package org.robber.core.rivals.tree;

import org.robber.core.rivals.tree.plan.NodeTrees;

/** MagPIe's way: the root sends to one node of each cluster, and this one along a binomial tree. Found by its name, {@value #NAME}. */
public final class FlatStrategy extends SingleTreeStrategy {

    /** The name by which users choose it. */
    public static final String NAME = "flat";

    public FlatStrategy() {
        super(NAME, 1, NodeTrees::flat);
    }
}

package org.robber.core.tree;

import org.robber.core.topology.Topology;

/** The root sends everything to everyone, over a connection each. Found by its name, {@value #NAME}. */
public final class MultiTcpStrategy extends TreeStrategy {

    /** The name by which users choose it. */
    public static final String NAME = "multitcp";

    public MultiTcpStrategy() {
        super(NAME);
    }

    @Override
    Forest plan(Topology topology) {
        return Forest.of(NodeTrees.star(topology));
    }
}

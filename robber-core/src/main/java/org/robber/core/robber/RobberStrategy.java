package org.robber.core.robber;

import org.robber.core.node.MulticastNode;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.NodeSetup;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.OverlayPlanner;
import org.robber.core.topology.Topology;

/** Robber: the default strategy. Found by its name, {@value #NAME}. */
public final class RobberStrategy implements MulticastStrategy {

    /** The name by which users choose it. */
    public static final String NAME = "robber";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Overlay planOverlay(Topology topology, long seed) {
        return OverlayPlanner.plan(topology, OverlayPlanner.PUBLISHED_LOCAL_DEGREE, seed);
    }

    @Override
    public MulticastNode createNode(NodeSetup setup) {
        return new RobberNode(setup);
    }
}

package org.robber.core.mob;

import org.robber.core.node.MulticastNode;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.NodeSetup;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.OverlayPlanner;
import org.robber.core.topology.Topology;

/** MOB: as Robber, but no work is stolen. Found by its name, {@value #NAME}. */
public final class MobStrategy implements MulticastStrategy {

    /** The name by which users choose it. */
    public static final String NAME = "mob";

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
        return new MobNode(setup);
    }
}

package org.robber.core.node;

import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/** A way to multicast, found by name through {@link java.util.ServiceLoader}. Stateless. */
public interface MulticastStrategy {

    /** The name by which users choose it: lower case, such as {@code robber}. */
    String name();

    /** Plans who is connected to whom; every node computes the same plan from the same seed, so nobody negotiates. */
    Overlay planOverlay(Topology topology, long seed);

    /** Makes the machine of one node for one multicast. */
    MulticastNode createNode(NodeSetup setup);
}

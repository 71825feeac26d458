package org.robber.core.node;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import org.robber.core.reduce.ReductionPlanner;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/** A way to multicast, found by name through {@link java.util.ServiceLoader}. Immutable: nodes share it. */
public interface MulticastStrategy {

    /** The name by which users choose it, lower case, such as {@code robber}; with its options after a colon, if any. */
    String name();

    /** The options that may follow the name, each with what it does, for people. */
    default SortedMap<String, String> options() {
        return Collections.emptySortedMap();
    }

    /**
     * Returns this strategy, configured with the given options.
     *
     * @param options whose flags are among {@link #options}
     */
    default MulticastStrategy with(StrategyOptions options) {
        return this;
    }

    /** Whether it plans by the bandwidths among its options. */
    default boolean usesBandwidths() {
        return false;
    }

    /** Whether nodes choose which pieces to take from other clusters, and so steal them, instead of being sent them by a plan. */
    default boolean steals() {
        return false;
    }

    /** Whether one node must possess everything at the start. */
    default boolean needsSingleRoot() {
        return false;
    }

    /** Whether connections are planned for multicasts from rank 0. Multicasts from others use the same ones, and may be much slower. */
    default boolean plansForRankZero() {
        return false;
    }

    /**
     * The limits that a node keeps while nothing goes wrong, in a multicast that {@link #planOverlay} could be planned for. All nodes of a
     * multicast have the same limits but for the number of requests.
     *
     * @param setup what the node is told
     */
    default StrategyLimits limits(NodeSetup setup) {
        return StrategyLimits.NONE;
    }

    /** How nodes divide the work of a reduction. By default each cluster combines its own vectors first. */
    default ReductionPlanner reductions(Topology topology) {
        return ReductionPlanner.byClusters(topology);
    }

    /** A name that nodes compare before they work together. It differs if their plans would differ. */
    default String fingerprint() {
        return name();
    }

    /** The assumptions that it made, for reports; usually none. */
    default List<String> remarks() {
        return List.of();
    }

    /**
     * Plans the connections between nodes. Every node computes the same plan from the same seed, without negotiation.
     *
     * @throws IllegalArgumentException if it cannot, for what it was told of the network does not fit the topology
     */
    Overlay planOverlay(Topology topology, long seed);

    /** Makes the machine of one node for one multicast. */
    MulticastNode createNode(NodeSetup setup);
}

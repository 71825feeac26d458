package org.robber.core.steal;

import java.util.SortedMap;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.StrategyLimits;
import org.robber.core.node.StrategyOptions;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.OverlayPlanner;
import org.robber.core.topology.Topology;
import org.robber.core.tuning.Tuning;

/** A strategy in which clusters steal pieces from one another, with the published overlay. */
public abstract class StealingStrategy implements MulticastStrategy {
    private final String name;
    private final StrategyOptions options;

    /**
     * For subclasses.
     *
     * @param name without options
     */
    protected StealingStrategy(String name, StrategyOptions options) {
        this.name = name;
        this.options = options;
    }

    /** Makes the machine of one node, which runs this variant. */
    protected abstract MulticastNode createNode(NodeSetup setup, StealingVariant variant);

    @Override
    public final MulticastNode createNode(NodeSetup setup) {
        return createNode(
                StealingVariant.isDirect(options) ? setup.withoutRelays() : setup, StealingVariant.of(options));
    }

    @Override
    public final String name() {
        return options.nameWithFlags(name);
    }

    @Override
    public final SortedMap<String, String> options() {
        return StealingVariant.OPTIONS;
    }

    @Override
    public final boolean steals() {
        return true;
    }

    @Override
    public final StrategyLimits limits(NodeSetup setup) {
        StealingVariant variant = StealingVariant.of(options);
        boolean improved = variant == StealingVariant.IMPROVED;
        return StrategyLimits.ofDividedWork(
                Math.max(setup.requestWindow(), improved ? Tuning.LARGEST_REQUEST_WINDOW : 1), variant.division());
    }

    @Override
    public final Overlay planOverlay(Topology topology, long seed) {
        return OverlayPlanner.plan(topology, OverlayPlanner.PUBLISHED_LOCAL_DEGREE, seed);
    }
}

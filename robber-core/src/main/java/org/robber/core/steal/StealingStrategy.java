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

    /** Makes the machine of one node, which asks other clusters in this style. */
    protected abstract MulticastNode createNode(NodeSetup setup, RequestStyle style);

    @Override
    public final MulticastNode createNode(NodeSetup setup) {
        return createNode(setup, RequestStyle.of(options));
    }

    @Override
    public final String name() {
        return options.nameWithFlags(name);
    }

    @Override
    public final SortedMap<String, String> options() {
        return RequestStyle.OPTIONS;
    }

    @Override
    public final boolean steals() {
        return true;
    }

    @Override
    public final StrategyLimits limits(NodeSetup setup) {
        RequestStyle style = RequestStyle.of(options);
        boolean adaptive = style == RequestStyle.ADAPTIVE;
        return StrategyLimits.ofDividedWork(
                Math.max(setup.requestWindow(), adaptive ? Tuning.LARGEST_REQUEST_LIMIT : 1), style.division());
    }

    @Override
    public final Overlay planOverlay(Topology topology, long seed) {
        return OverlayPlanner.plan(topology, OverlayPlanner.PUBLISHED_LOCAL_DEGREE, seed);
    }
}

package org.robber.core.robber;

import com.google.common.collect.ImmutableSortedSet;
import java.util.SortedMap;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.StrategyOptions;
import org.robber.core.topology.BandwidthMap;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.OverlayPlanner;
import org.robber.core.topology.Topology;
import org.robber.core.transfer.RequestStyle;

/** Robber: the default strategy. Found by its name, {@value #NAME}. */
public final class RobberStrategy implements MulticastStrategy {

    /** The name by which users choose it. */
    public static final String NAME = "robber";

    private final StrategyOptions options;

    public RobberStrategy() {
        this(new StrategyOptions(ImmutableSortedSet.of(), BandwidthMap.unknown()));
    }

    private RobberStrategy(StrategyOptions options) {
        this.options = options;
    }

    @Override
    public String name() {
        return options.nameWithFlags(NAME);
    }

    @Override
    public SortedMap<String, String> options() {
        return RequestStyle.OPTIONS;
    }

    @Override
    public MulticastStrategy with(StrategyOptions chosen) {
        return new RobberStrategy(chosen);
    }

    @Override
    public boolean steals() {
        return true;
    }

    @Override
    public Overlay planOverlay(Topology topology, long seed) {
        return OverlayPlanner.plan(topology, OverlayPlanner.PUBLISHED_LOCAL_DEGREE, seed);
    }

    @Override
    public MulticastNode createNode(NodeSetup setup) {
        return new RobberNode(setup, RequestStyle.of(options));
    }
}

package org.robber.core.mob;

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

/** MOB: as Robber, but no work is stolen. Found by its name, {@value #NAME}. */
public final class MobStrategy implements MulticastStrategy {

    /** The name by which users choose it. */
    public static final String NAME = "mob";

    private final StrategyOptions options;

    public MobStrategy() {
        this(new StrategyOptions(ImmutableSortedSet.of(), BandwidthMap.unknown()));
    }

    private MobStrategy(StrategyOptions options) {
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
        return new MobStrategy(chosen);
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
        return new MobNode(setup, RequestStyle.of(options));
    }
}

package org.robber.core.rivals.bittorrent;

import com.google.common.collect.ImmutableSortedMap;
import java.util.SortedMap;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.StrategyLimits;
import org.robber.core.node.StrategyOptions;
import org.robber.core.topology.MeshPlanner;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/** BitTorrent, by itself as in the published comparison. Found by its name, {@value #NAME}. */
public final class BitTorrentStrategy implements MulticastStrategy {

    /** The name by which users choose it. */
    public static final String NAME = "bittorrent";

    private static final String BIASED = "biased";
    private static final String END_GAME = "endgame";
    private static final String RAREST = "rarest";

    private static final ImmutableSortedMap<String, String> OPTIONS = ImmutableSortedMap.of(
            BIASED, "all peers of a node but one are in its own cluster",
            END_GAME, "ask for the last pieces at every peer that has them, and cancel what comes elsewhere first",
            RAREST, "ask for what the fewest peers have, instead of anything");

    private final StrategyOptions options;

    public BitTorrentStrategy() {
        this(StrategyOptions.NONE);
    }

    private BitTorrentStrategy(StrategyOptions options) {
        this.options = options;
    }

    @Override
    public String name() {
        return options.nameWithFlags(NAME);
    }

    @Override
    public SortedMap<String, String> options() {
        return OPTIONS;
    }

    @Override
    public MulticastStrategy with(StrategyOptions chosen) {
        return new BitTorrentStrategy(chosen);
    }

    @Override
    public boolean steals() {
        return true;
    }

    @Override
    public StrategyLimits limits(NodeSetup setup) {
        return options.flags().contains(END_GAME)
                ? new StrategyLimits(
                        setup.requestWindow(), StrategyLimits.UNLIMITED, StrategyLimits.UNLIMITED, false, null)
                : StrategyLimits.ofOneSourceAPiece(setup.requestWindow(), StrategyLimits.UNLIMITED);
    }

    @Override
    public Overlay planOverlay(Topology topology, long seed) {
        return options.flags().contains(BIASED)
                ? MeshPlanner.planBiased(topology, MeshPlanner.PUBLISHED_DEGREE, seed)
                : MeshPlanner.plan(topology, MeshPlanner.PUBLISHED_DEGREE, seed);
    }

    @Override
    public MulticastNode createNode(NodeSetup setup) {
        return new BitTorrentNode(
                setup, options.flags().contains(RAREST), options.flags().contains(END_GAME));
    }
}

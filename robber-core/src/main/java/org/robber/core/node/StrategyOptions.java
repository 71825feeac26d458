package org.robber.core.node;

import com.google.common.collect.ImmutableSortedSet;
import java.util.SortedSet;
import org.robber.core.topology.BandwidthMap;

/**
 * The options of a strategy; the same on all nodes.
 *
 * @param flags names of options, each known to the strategy
 * @param bandwidths what is known of the network, for strategies that plan by it
 */
public record StrategyOptions(SortedSet<String> flags, BandwidthMap bandwidths) {

    /** No options, and no known bandwidths. */
    public static final StrategyOptions NONE = new StrategyOptions(ImmutableSortedSet.of(), BandwidthMap.unknown());

    /** The strategy's name with the flags, as users write it: {@code bittorrent:endgame,rarest}. */
    public String nameWithFlags(String name) {
        return flags.isEmpty() ? name : name + ":" + String.join(",", flags);
    }
}

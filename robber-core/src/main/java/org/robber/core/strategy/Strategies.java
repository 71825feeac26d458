package org.robber.core.strategy;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSortedSet;
import java.util.Collection;
import java.util.List;
import java.util.ServiceLoader;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.StrategyOptions;
import org.robber.core.steal.RobberStrategy;
import org.robber.core.topology.BandwidthMap;

/** The strategies that {@link ServiceLoader} finds for {@link MulticastStrategy}, here and in jars of others. The name {@value RobberStrategy#NAME} is always ours. */
public final class Strategies {

    private Strategies() {}

    /** The names that may be chosen. */
    public static SortedSet<String> names() {
        ImmutableSortedSet.Builder<String> names = ImmutableSortedSet.naturalOrder();
        for (MulticastStrategy strategy : ServiceLoader.load(MulticastStrategy.class)) {
            names.add(strategy.name());
        }
        return names.build();
    }

    /**
     * The strategy of this name, with nothing known of the network.
     *
     * @param name a name such as {@code bittorrent}, or with options {@code bittorrent:rarest,endgame}
     * @throws IllegalArgumentException if there is none, or it has no such option; the message lists what there is
     */
    public static MulticastStrategy byName(String name) {
        return byName(name, BandwidthMap.unknown());
    }

    /**
     * The strategy of this name.
     *
     * @param name a name such as {@code balanced}, or with options {@code bittorrent:rarest,endgame}
     * @param bandwidths what is known of the network; most strategies do not need it
     * @throws IllegalArgumentException if there is none, or it has no such option; the message lists what there is
     */
    public static MulticastStrategy byName(String name, BandwidthMap bandwidths) {
        List<String> parts = Splitter.on(':').limit(2).splitToList(name);
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a name of a strategy is missing; known are: " + list(names()));
        }
        @Nullable MulticastStrategy strategy = find(parts.get(0));
        if (strategy == null) {
            throw new IllegalArgumentException(
                    "no strategy is called '" + parts.get(0) + "'; known are: " + list(names()));
        }
        ImmutableSortedSet<String> flags = parts.size() == 1
                ? ImmutableSortedSet.of()
                : ImmutableSortedSet.copyOf(Splitter.on(',').split(parts.get(1)));
        for (String flag : flags) {
            if (!strategy.options().containsKey(flag)) {
                throw new IllegalArgumentException("the strategy '" + parts.get(0) + "' has no option '" + flag
                        + "'; known are: " + list(strategy.options().keySet()));
            }
        }
        return strategy.with(new StrategyOptions(flags, bandwidths));
    }

    /** Whether pieces are stolen by the strategy of this name and options; false if there is no such strategy. */
    public static boolean steals(String name) {
        @Nullable
        MulticastStrategy strategy = find(Splitter.on(':').splitToList(name).get(0));
        return strategy != null && strategy.steals();
    }

    private static String list(Collection<String> names) {
        return names.isEmpty() ? "none" : String.join(", ", names);
    }

    /** The default is not searched for. A search opens each jar of the class path, at the start of each node. */
    private static @Nullable MulticastStrategy find(String name) {
        if (name.equals(RobberStrategy.NAME)) {
            return new RobberStrategy();
        }
        for (MulticastStrategy strategy : ServiceLoader.load(MulticastStrategy.class)) {
            if (strategy.name().equals(name)) {
                return strategy;
            }
        }
        return null;
    }
}

package org.robber.core.strategy;

import com.google.common.collect.ImmutableSortedMap;
import java.util.ServiceLoader;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.robber.core.node.MulticastStrategy;

/** The strategies that {@link ServiceLoader} finds for {@link MulticastStrategy}, here and in jars of others. */
public final class Strategies {

    private Strategies() {}

    /** The names that may be chosen. */
    public static SortedSet<String> names() {
        return load().keySet();
    }

    /**
     * The strategy of this name.
     *
     * @throws IllegalArgumentException if there is none; the message lists those that there are
     */
    public static MulticastStrategy byName(String name) {
        ImmutableSortedMap<String, MulticastStrategy> known = load();
        @Nullable MulticastStrategy strategy = known.get(name);
        if (strategy == null) {
            throw new IllegalArgumentException(
                    "no strategy is called '" + name + "'; known are: " + String.join(", ", known.keySet()));
        }
        return strategy;
    }

    private static ImmutableSortedMap<String, MulticastStrategy> load() {
        ImmutableSortedMap.Builder<String, MulticastStrategy> byName = ImmutableSortedMap.naturalOrder();
        for (MulticastStrategy strategy : ServiceLoader.load(MulticastStrategy.class)) {
            byName.put(strategy.name(), strategy);
        }
        return byName.buildOrThrow();
    }
}

package org.robber.core.rivals.tree;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.robber.core.rivals.tree.plan.Forest;

/**
 * The plans that were made last. All nodes of a simulation ask for the same plan, and several simulations may run in one process.
 * Thread-safe.
 *
 * @param <K> what a plan is made for; has the equality of {@link Object}
 */
final class PlanCache<K> {
    /** More than simulations run at a time in one process. */
    private static final int LARGEST_SIZE = 64;

    private final Map<Key<K>, Forest> plans = new LinkedHashMap<>();

    private record Key<K>(K plannedFor, int rootRank) {}

    /**
     * The plan of this root, which is made if it was not yet.
     *
     * @param plan makes it; may ask for the plan of another root
     */
    synchronized Forest get(K plannedFor, int rootRank, Supplier<Forest> plan) {
        Key<K> key = new Key<>(plannedFor, rootRank);
        Forest known = plans.get(key);
        if (known == null) {
            known = plan.get();
            if (plans.size() >= LARGEST_SIZE) {
                plans.remove(plans.keySet().iterator().next());
            }
            plans.put(key, known);
        }
        return known;
    }
}

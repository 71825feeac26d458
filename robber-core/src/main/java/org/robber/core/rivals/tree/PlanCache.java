package org.robber.core.rivals.tree;

import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import org.robber.core.rivals.tree.plan.Forest;

/**
 * Plans that are kept as long as somebody holds what they were made for, whatever else is planned meanwhile: several simulations
 * may run in one process. Thread-safe.
 *
 * @param <K> what a plan is made for; has the equality of {@link Object}
 */
final class PlanCache<K> {
    private final Map<K, Map<Integer, Forest>> plans = new WeakHashMap<>();

    /**
     * The plan of this root, which is made if it was not yet.
     *
     * @param plan makes it; may ask for the plan of another root
     */
    synchronized Forest get(K key, int rootRank, Supplier<Forest> plan) {
        Map<Integer, Forest> ofKey = plans.computeIfAbsent(key, any -> new HashMap<>());
        Forest known = ofKey.get(rootRank);
        if (known == null) {
            known = plan.get();
            ofKey.put(rootRank, known);
        }
        return known;
    }
}

package org.robber.core.rivals.tree;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.robber.core.rivals.tree.plan.Forest;

/**
 * Plans that are kept as long as somebody holds what they were made for, whatever else is planned meanwhile: several simulations
 * may run in one process. Thread-safe.
 *
 * @param <K> what a plan is made for; has the equality of {@link Object}
 */
final class PlanCache<K> {
    /** One for each simulation that runs: few. A map with weak keys would have an order that differs in each run of the JVM. */
    private final List<Plans<K>> all = new ArrayList<>();

    /** The plans by root for one key. */
    private record Plans<K>(WeakReference<K> key, Map<Integer, Forest> byRoot) {}

    /**
     * The plan of this root, which is made if it was not yet.
     *
     * @param plan makes it; may ask for the plan of another root
     */
    synchronized Forest get(K key, int rootRank, Supplier<Forest> plan) {
        Map<Integer, Forest> byRoot = plansOf(key);
        Forest known = byRoot.get(rootRank);
        if (known == null) {
            known = plan.get();
            byRoot.put(rootRank, known);
        }
        return known;
    }

    private Map<Integer, Forest> plansOf(K key) {
        all.removeIf(plans -> plans.key().get() == null);
        for (Plans<K> plans : all) {
            if (key.equals(plans.key().get())) {
                return plans.byRoot();
            }
        }
        Map<Integer, Forest> byRoot = new HashMap<>();
        all.add(new Plans<>(new WeakReference<>(key), byRoot));
        return byRoot;
    }
}

package org.robber.core.tree;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Plans that are kept as long as somebody holds what they were made for, whatever else is planned meanwhile: several simulations
 * may run in one process. Thread-safe.
 *
 * @param <K> what a plan is made for; compared by identity
 */
final class PlanCache<K> {
    private final Cache<K, Map<Integer, Forest>> plans =
            CacheBuilder.newBuilder().weakKeys().build();

    /**
     * The plan of this root, which is made if it was not yet.
     *
     * @param plan makes it; may ask for the plan of another root
     */
    Forest get(K key, int rootRank, Supplier<Forest> plan) {
        Map<Integer, Forest> ofKey = plans.asMap().computeIfAbsent(key, any -> new ConcurrentHashMap<>());
        Forest known = ofKey.get(rootRank);
        if (known == null) {
            // Outside of any lock, since one plan may need another: two threads may plan the same.
            known = plan.get();
            ofKey.put(rootRank, known);
        }
        return known;
    }
}

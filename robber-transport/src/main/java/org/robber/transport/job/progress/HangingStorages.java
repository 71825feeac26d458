package org.robber.transport.job.progress;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The nodes that say that their storage hangs. They say it again as long as it does. Not thread-safe. */
final class HangingStorages {
    /** When each node last said so. */
    private final Map<Integer, Long> hungNanos = new TreeMap<>();

    /** The storage of the node hangs. */
    void hangs(int rank, long nowNanos) {
        hungNanos.put(rank, nowNanos);
    }

    /** Nodes whose storage has hung since then, in rising order, but for those that are lost. */
    List<Integer> since(long nanos, BitSet lost) {
        return hungNanos.entrySet().stream()
                .filter(node -> !lost.get(node.getKey()) && node.getValue() - nanos >= 0)
                .map(Map.Entry::getKey)
                .toList();
    }
}

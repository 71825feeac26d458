package org.robber.transport.control;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;

/** The lost nodes without which the job goes on, as one node knows them. Not thread-safe. */
public final class Losses {
    private final SortedMap<Integer, RobberException> lost = new TreeMap<>();
    private @Nullable BiConsumer<Integer, RobberException> listener;

    /** A node was lost; only its first loss counts. */
    public void add(int rank, RobberException why) {
        if (lost.putIfAbsent(rank, why) == null && listener != null) {
            listener.accept(rank, why);
        }
    }

    /** The nodes lost so far. */
    public SortedSet<Integer> ranks() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(lost.keySet()));
    }

    /** Sets the listener, which is told of earlier losses at once. */
    public void listen(BiConsumer<Integer, RobberException> newListener) {
        listener = newListener;
        lost.forEach(newListener);
    }
}

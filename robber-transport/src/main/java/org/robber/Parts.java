package org.robber;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Where the parts of all ranks lie in a buffer, for calls with parts of different sizes. Counts and displacements are in elements of
 * the buffer, from its position. Immutable.
 */
public final class Parts {
    private final long[] counts;
    private final long[] displacements;

    private Parts(long[] counts, long[] displacements) {
        for (int rank = 0; rank < counts.length; rank++) {
            if (counts[rank] < 0 || displacements[rank] < 0 || counts[rank] + displacements[rank] < 0) {
                throw new IllegalArgumentException(
                        "part of rank " + rank + ": " + counts[rank] + " elements at " + displacements[rank]);
            }
        }
        this.counts = counts;
        this.displacements = displacements;
    }

    /**
     * Parts one after the other.
     *
     * @param counts the number of elements of each rank's part, at least 0
     * @throws IllegalArgumentException if a count is negative, or all together exceed {@link Long#MAX_VALUE}
     */
    public static Parts of(int... counts) {
        return of(Arrays.stream(counts).asLongStream().toArray());
    }

    /** Parts one after the other, for data of more than 2 GiB; as {@link #of(int...)}. */
    public static Parts of(long[] counts) {
        long[] displacements = new long[counts.length];
        for (int rank = 1; rank < counts.length; rank++) {
            try {
                displacements[rank] = Math.addExact(displacements[rank - 1], counts[rank - 1]);
            } catch (ArithmeticException e) {
                throw new IllegalArgumentException("the counts add up to too many elements", e);
            }
        }
        return new Parts(counts.clone(), displacements);
    }

    /**
     * Parts at given places. In a buffer that is written, they must not overlap.
     *
     * @param counts the number of elements of each rank's part, at least 0
     * @param displacements where each part begins, at least 0
     * @throws IllegalArgumentException if a number is negative, or there are not as many counts as displacements
     */
    public static Parts of(long[] counts, long[] displacements) {
        if (counts.length != displacements.length) {
            throw new IllegalArgumentException(
                    counts.length + " counts and " + displacements.length + " displacements");
        }
        return new Parts(counts.clone(), displacements.clone());
    }

    /** The number of parts. */
    public int size() {
        return counts.length;
    }

    /** The number of elements of a rank's part. */
    public long count(int rank) {
        return counts[rank];
    }

    /** The element at which a rank's part begins. */
    public long displacement(int rank) {
        return displacements[rank];
    }

    /** The number of elements that a buffer needs to hold all parts. */
    public long end() {
        long end = 0;
        for (int rank = 0; rank < counts.length; rank++) {
            end = Math.max(end, displacements[rank] + counts[rank]);
        }
        return end;
    }

    /** Whether two parts share elements. */
    public boolean overlap() {
        int[] byPlace = IntStream.range(0, counts.length)
                .filter(rank -> counts[rank] > 0)
                .boxed()
                .sorted(Comparator.comparingLong(rank -> displacements[rank]))
                .mapToInt(Integer::intValue)
                .toArray();
        for (int i = 1; i < byPlace.length; i++) {
            if (displacements[byPlace[i - 1]] + counts[byPlace[i - 1]] > displacements[byPlace[i]]) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Parts parts
                && Arrays.equals(parts.counts, counts)
                && Arrays.equals(parts.displacements, displacements);
    }

    @Override
    public int hashCode() {
        return Objects.hash(Arrays.hashCode(counts), Arrays.hashCode(displacements));
    }

    @Override
    public String toString() {
        return "counts " + Arrays.toString(counts) + ", displacements " + Arrays.toString(displacements);
    }
}

package org.robber.emulation.run;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.List;
import org.robber.emulation.scenario.ClusterPair;

/**
 * Bytes counted at equal distances in time; each list holds the total so far at 0, 1, 2, ... times the interval.
 *
 * @param intervalNanos distance between two samples
 * @param receivedBytes data received by all nodes together
 * @param nodeBytes by rank: data received; empty if not kept
 * @param linkBytes by direction: bytes that crossed; empty if not kept
 */
public record Timeline(
        long intervalNanos,
        ImmutableList<Long> receivedBytes,
        ImmutableList<ImmutableList<Long>> nodeBytes,
        ImmutableSortedMap<ClusterPair, ImmutableList<Long>> linkBytes) {

    /** Of these nodes and links. */
    public Timeline(
            long intervalNanos,
            ImmutableList<ImmutableList<Long>> nodeBytes,
            ImmutableSortedMap<ClusterPair, ImmutableList<Long>> linkBytes) {
        this(intervalNanos, sum(nodeBytes), nodeBytes, linkBytes);
    }

    /** Whether nodes or links were kept apart. */
    public boolean isDetailed() {
        return !nodeBytes.isEmpty() || !linkBytes.isEmpty();
    }

    /** Lists of totals added up, as far as all of them go. */
    public static ImmutableList<Long> sum(List<ImmutableList<Long>> lists) {
        int samples = lists.stream().mapToInt(List::size).min().orElse(0);
        ImmutableList.Builder<Long> totals = ImmutableList.builderWithExpectedSize(samples);
        for (int sample = 0; sample < samples; sample++) {
            long total = 0;
            for (ImmutableList<Long> list : lists) {
                total += list.get(sample);
            }
            totals.add(total);
        }
        return totals.build();
    }

    /**
     * Only the total of all nodes, which is small enough to keep for many runs.
     *
     * @param mostIntervals most intervals of the result
     */
    public Timeline inShort(int mostIntervals) {
        checkArgument(mostIntervals >= 1, "mostIntervals: %s", mostIntervals);
        int last = Math.max(0, receivedBytes.size() - 1);
        int together = Math.max(1, (last + mostIntervals - 1) / mostIntervals);
        ImmutableList.Builder<Long> fewer = ImmutableList.builder();
        for (int sample = 0; !receivedBytes.isEmpty() && sample < last + together; sample += together) {
            // the last total holds from then on
            fewer.add(receivedBytes.get(Math.min(sample, last)));
        }
        return new Timeline(intervalNanos * together, fewer.build(), ImmutableList.of(), ImmutableSortedMap.of());
    }
}

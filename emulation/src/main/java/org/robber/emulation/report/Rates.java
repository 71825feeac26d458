package org.robber.emulation.report;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.ImmutableDoubleArray;
import java.util.List;

/**
 * Converts totals at equal distances in time to rates over intervals, few enough to be drawn.
 *
 * @param seconds the middle of each interval
 * @param megabytesPerSecond its rate in 10^6 bytes per second
 */
record Rates(ImmutableDoubleArray seconds, ImmutableDoubleArray megabytesPerSecond) {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double BYTES_PER_MEGABYTE = 1e6;

    /**
     * @param intervalNanos distance between two totals
     * @param totals at 0, 1, 2, ... times the interval
     * @param divisor rates are divided by it: a number of nodes for the mean of these nodes
     * @param mostStretches at most so many
     */
    static Rates of(long intervalNanos, List<Long> totals, double divisor, int mostStretches) {
        checkArgument(intervalNanos > 0, "intervalNanos: %s", intervalNanos);
        int intervals = Math.max(0, totals.size() - 1);
        int together = Math.max(1, (intervals + mostStretches - 1) / mostStretches);
        ImmutableDoubleArray.Builder seconds = ImmutableDoubleArray.builder();
        ImmutableDoubleArray.Builder rates = ImmutableDoubleArray.builder();
        for (int from = 0; from < intervals; from += together) {
            int to = Math.min(intervals, from + together);
            double length = (to - from) * (intervalNanos / NANOS_PER_SECOND);
            seconds.add((from + to) / 2.0 * (intervalNanos / NANOS_PER_SECOND));
            rates.add((totals.get(to) - totals.get(from)) / length / divisor / BYTES_PER_MEGABYTE);
        }
        return new Rates(seconds.build(), rates.build());
    }
}

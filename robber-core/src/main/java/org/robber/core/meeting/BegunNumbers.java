package org.robber.core.meeting;

import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import com.google.common.collect.TreeRangeSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * Which meetings of a group were begun. Numbers with the same upper bits are a series, in which they grow. Some may be left out for good. So
 * in each series, only the last {@value #MOST_RANGES} gaps are remembered. Numbers that were left out before count as begun.
 */
final class BegunNumbers {
    /** Far more calls than a node ever has under way. */
    static final int MOST_RANGES = 1 << 14;

    private final Map<Long, RangeSet<Long>> series = new HashMap<>();

    boolean contains(long number) {
        RangeSet<Long> numbers = series.get(seriesOf(number));
        return numbers != null && numbers.contains(number);
    }

    void add(long number) {
        RangeSet<Long> numbers = series.computeIfAbsent(seriesOf(number), first -> TreeRangeSet.create());
        numbers.add(Range.closedOpen(number, number + 1));
        if (numbers.asRanges().size() > MOST_RANGES) {
            Iterator<Range<Long>> lowest = numbers.asRanges().iterator();
            numbers.add(lowest.next().span(lowest.next()));
        }
    }

    /** How many ranges are remembered. */
    int ranges() {
        return series.values().stream()
                .mapToInt(numbers -> numbers.asRanges().size())
                .sum();
    }

    private static long seriesOf(long number) {
        return number >>> MeetingNode.SERIES_SHIFT;
    }
}

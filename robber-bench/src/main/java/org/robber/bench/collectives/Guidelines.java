package org.robber.bench.collectives;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Self-consistent performance guidelines (Träff, Gropp and Thakur): a call is not slower than others that do as much, and not faster with more data.
 */
final class Guidelines {
    /** So much slower a call may be: times vary. */
    static final double TOLERANCE = 1.1;

    private static final ImmutableList<Rule> RULES = ImmutableList.of(
            new Rule("bcast", ImmutableList.of("scatter", "allGather")),
            new Rule("scatter", ImmutableList.of("bcast")),
            new Rule("gather", ImmutableList.of("allGather")),
            new Rule("allGather", ImmutableList.of("gather", "bcast")),
            new Rule("reduce", ImmutableList.of("allReduce")),
            new Rule("reduce", ImmutableList.of("reduceScatter", "gather")),
            new Rule("allReduce", ImmutableList.of("reduce", "bcast")),
            new Rule("allReduce", ImmutableList.of("reduceScatter", "allGather")),
            new Rule("reduceScatter", ImmutableList.of("reduce", "scatter")),
            new Rule("reduceScatter", ImmutableList.of("allReduce")),
            new Rule("exScan", ImmutableList.of("scan")));

    private final List<Timing> timings;

    /** A call, and others that together do as much. */
    private record Rule(String call, ImmutableList<String> others) {}

    /** @param timings of one contender */
    Guidelines(List<Timing> timings) {
        this.timings = timings;
    }

    /**
     * What was compared.
     *
     * @param rule such as {@code bcast <= scatter + allGather}
     * @param ratio more than 1: the rule is broken by so much
     */
    record Finding(String rule, long bytes, double micros, double mostMicros, double ratio) {
        boolean isBroken() {
            return ratio > TOLERANCE;
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%-38s %11d %14.1f %14.1f %6.2f", rule, bytes, micros, mostMicros, ratio);
        }
    }

    /** All comparisons that the timings allow. */
    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        for (Timing timing : timings) {
            for (Rule rule : RULES) {
                if (rule.call.equals(timing.call())) {
                    add(findings, timing, rule.call + " <= " + String.join(" + ", rule.others), together(timing, rule));
                }
            }
            add(findings, timing, timing.call() + " <= " + timing.call() + " of more data", ofMoreData(timing));
        }
        return findings;
    }

    private static void add(List<Finding> findings, Timing timing, String rule, OptionalDouble most) {
        if (most.isPresent()) {
            double ratio = timing.micros() / most.getAsDouble();
            findings.add(new Finding(rule, timing.bytes(), timing.micros(), most.getAsDouble(), ratio));
        }
    }

    private OptionalDouble together(Timing timing, Rule rule) {
        double sum = 0;
        for (String other : rule.others) {
            OptionalDouble micros = timings.stream()
                    .filter(each -> each.call().equals(other) && each.bytes() == timing.bytes())
                    .mapToDouble(Timing::micros)
                    .findFirst();
            if (micros.isEmpty()) {
                return micros;
            }
            sum += micros.getAsDouble();
        }
        return OptionalDouble.of(sum);
    }

    private OptionalDouble ofMoreData(Timing timing) {
        return timings.stream()
                .filter(each -> each.call().equals(timing.call()) && each.bytes() > timing.bytes())
                .mapToDouble(Timing::micros)
                .min();
    }
}

package org.robber.emulation.run;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.scenario.Scenario;

/**
 * How soon a link was as busy as before. One phase had made it worse, by a lower rate or more loss, and a later one as good as it was.
 *
 * @param link its direction
 * @param harmedNanos when it became worse
 * @param healedNanos when it became as good as before
 * @param nanos from then to the beginning of the first second in which it carried {@value #SHARE} of what it had carried in the two
 *     seconds before the harm; -1 if the run ended before such a second
 */
public record Recovery(ClusterPair link, long harmedNanos, long healedNanos, long nanos) {
    static final double SHARE = 0.9;

    private static final long SECOND_NANOS = 1_000_000_000;

    /** Of all links of a run, in the order of time. Links that carried nothing before, and runs without the bytes of links, have none. */
    public static ImmutableList<Recovery> of(Scenario scenario, Timeline timeline) {
        ImmutableList.Builder<Recovery> recoveries = ImmutableList.builder();
        for (int harm = 1; harm < scenario.phases().size(); harm++) {
            int phase = harm;
            timeline.linkBytes().forEach((link, bytes) -> {
                if (isWorse(scenario, link, phase, phase - 1)) {
                    addHealed(recoveries, scenario, link, phase, new Totals(bytes, timeline.intervalNanos()));
                }
            });
        }
        return recoveries.build();
    }

    /** Whether a link is worse in one phase than in another. */
    private static boolean isWorse(Scenario scenario, ClusterPair link, int phase, int otherPhase) {
        LinkSpec spec = scenario.phases().get(phase).links().get(link);
        LinkSpec other = scenario.phases().get(otherPhase).links().get(link);
        return spec != null
                && other != null
                && (spec.bytesPerSecond() < other.bytesPerSecond() || spec.loss() > other.loss());
    }

    private static void addHealed(
            ImmutableList.Builder<Recovery> recoveries, Scenario scenario, ClusterPair link, int harm, Totals totals) {
        List<Phase> phases = scenario.phases();
        long harmedNanos = phases.get(harm).atNanos();
        for (int later = harm + 1; later < phases.size(); later++) {
            if (!isWorse(scenario, link, later, harm - 1)) {
                long healedNanos = phases.get(later).atNanos();
                double before = totals.rate(Math.max(0, harmedNanos - 2 * SECOND_NANOS), harmedNanos);
                if (before > 0 && healedNanos < totals.endNanos()) {
                    recoveries.add(new Recovery(
                            link, harmedNanos, healedNanos, totals.firstSecondWith(SHARE * before, healedNanos)));
                }
                return;
            }
        }
    }

    /** The bytes that a link has carried until each sample. */
    private record Totals(List<Long> bytes, long intervalNanos) {
        long endNanos() {
            return (bytes.size() - 1) * intervalNanos;
        }

        /** Bytes per second between two moments, as straight lines between samples say. */
        double rate(long fromNanos, long toNanos) {
            return (at(toNanos) - at(fromNanos)) / ((toNanos - fromNanos) / (double) SECOND_NANOS);
        }

        private double at(long nanos) {
            int sample = (int) Math.min(bytes.size() - 1, nanos / intervalNanos);
            double part = (nanos - sample * intervalNanos) / (double) intervalNanos;
            long here = bytes.get(sample);
            return sample == bytes.size() - 1 ? here : here + part * (bytes.get(sample + 1) - here);
        }

        long firstSecondWith(double bytesPerSecond, long afterNanos) {
            for (long begin = afterNanos; begin + SECOND_NANOS <= endNanos(); begin += intervalNanos) {
                if (rate(begin, begin + SECOND_NANOS) >= bytesPerSecond) {
                    return begin - afterNanos;
                }
            }
            return -1;
        }
    }
}

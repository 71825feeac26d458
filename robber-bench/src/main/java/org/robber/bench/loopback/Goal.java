package org.robber.bench.loopback;

import java.util.ArrayList;
import java.util.List;

/**
 * A goal of Robber, and what was measured.
 *
 * @param what the figure
 * @param value what was measured
 * @param limit what is to be reached
 * @param atMost whether the limit is an upper one
 */
record Goal(String what, double value, double limit, boolean atMost) {
    private static final double MOST_TIME_OF_ONE_RECEIVER = 1.15;
    private static final double LEAST_SHARE_ENCRYPTED = 0.7;
    private static final double MOST_CPU = 2.5;
    private static final double MOST_CONTROL_SHARE = 0.01;
    private static final double LEAST_GIGABYTES_PER_SECOND = 1.0;

    /** Whether the goal is reached. */
    boolean met() {
        return atMost ? value <= limit : value >= limit;
    }

    /** The goals that apply to a case. */
    static List<Goal> of(CaseResult result) {
        List<Goal> goals = new ArrayList<>();
        for (Ratio ratio : Ratio.of(result)) {
            String pair = ratio.contender().label() + " / " + ratio.yardstick().label();
            if (ratio.contender().isEncrypted()) {
                goals.add(new Goal(pair + ": throughput", 1 / ratio.time(), LEAST_SHARE_ENCRYPTED, false));
                continue;
            }
            if (result.one().receivers() == 1) {
                goals.add(new Goal(pair + ": time", ratio.time(), MOST_TIME_OF_ONE_RECEIVER, true));
            }
            goals.add(new Goal(pair + ": CPU", ratio.transferCpu(), MOST_CPU, true));
        }
        for (Contender contender : Contender.values()) {
            if (contender.isRobber() && result.has(contender)) {
                goals.add(new Goal(
                        contender.label() + ": control bytes / data bytes",
                        result.median(contender, RunFigures::controlShare),
                        MOST_CONTROL_SHARE,
                        true));
                if (result.one().processes() >= 8) {
                    goals.add(new Goal(
                            contender.label() + ": GB/s",
                            result.median(contender, RunFigures::gigabytesPerSecond),
                            LEAST_GIGABYTES_PER_SECOND,
                            false));
                }
            }
        }
        return goals;
    }
}

package org.robber.bench.loopback;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Robber against a plain copy in the same case: medians over runs of the quotient of two runs that followed each other.
 *
 * @param contender Robber, with one kind of place
 * @param yardstick a plain copy; if Robber encrypts, Robber that does not
 * @param time seconds
 * @param transferCpu CPU time from when all processes were ready
 * @param processCpu CPU time from the launch of the processes
 */
record Ratio(Contender contender, Contender yardstick, double time, double transferCpu, double processCpu) {

    /** Which plain copies each form of Robber is held against: first the one that does the same work. */
    private static final Map<Contender, List<Contender>> YARDSTICKS = Map.of(
            Contender.ROBBER_BUFFER, List.of(Contender.PLAIN_BUFFER, Contender.PLAIN_DISCARD),
            Contender.ROBBER_FILE, List.of(Contender.PLAIN_FILE, Contender.PLAIN_DISCARD),
            Contender.ROBBER_TLS_BUFFER, List.of(Contender.ROBBER_BUFFER),
            Contender.ROBBER_TLS_FILE, List.of(Contender.ROBBER_FILE));

    /** All ratios that can be told from who took part. */
    static List<Ratio> of(CaseResult result) {
        List<Ratio> ratios = new ArrayList<>();
        for (Contender contender : Contender.values()) {
            for (Contender yardstick : YARDSTICKS.getOrDefault(contender, List.of())) {
                if (result.has(contender) && result.has(yardstick)) {
                    ratios.add(new Ratio(
                            contender,
                            yardstick,
                            result.medianRatio(contender, yardstick, RunFigures::seconds),
                            result.medianRatio(contender, yardstick, RunFigures::transferCpuSeconds),
                            result.medianRatio(contender, yardstick, RunFigures::processCpuSeconds)));
                }
            }
        }
        return ratios;
    }
}

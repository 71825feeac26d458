package org.robber.cli.emulate;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.robber.emulation.bound.TheoreticalBound;
import org.robber.emulation.experiment.Bound;
import org.robber.emulation.experiment.Computer;
import org.robber.emulation.experiment.Deadline;
import org.robber.emulation.experiment.Findings.Setting;
import org.robber.emulation.scenario.Scenario;

/** What of a request belongs into its results. */
final class Settings {

    private Settings() {}

    /** The setting of an experiment; computes the bounds of its scenarios. */
    static Setting of(
            EmulateRequest request,
            ImmutableList<Scenario> scenarios,
            Instant begun,
            Deadline deadline,
            int plannedRuns) {
        ImmutableMap.Builder<Scenario, Bound> bounds = ImmutableMap.builder();
        for (Scenario scenario : scenarios) {
            bounds.put(scenario, bound(scenario, request.dataBytes()));
        }
        return new Setting(
                request.commandLine(),
                begun,
                Computer.here(),
                request.version(),
                bounds.buildOrThrow(),
                ImmutableList.copyOf(request.strategies()),
                request.dataBytes(),
                deadline,
                plannedRuns,
                request.testbed() ? request.choices().wan().toString() : "");
    }

    /** The present, as exactly as people need it. */
    static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS);
    }

    private static Bound bound(Scenario scenario, long dataBytes) {
        TheoreticalBound bound = TheoreticalBound.of(scenario);
        return new Bound(
                known(bound.adaptSeconds(dataBytes)), known(bound.storeSeconds(dataBytes)), bound.isProven(dataBytes));
    }

    /** A bound that nothing reaches, or that nothing limits, is none to measure by. */
    private static double known(double seconds) {
        return seconds > 0 && seconds < Double.POSITIVE_INFINITY ? seconds : Double.NaN;
    }
}

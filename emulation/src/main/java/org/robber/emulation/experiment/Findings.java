package org.robber.emulation.experiment;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.time.Instant;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.Scenario;

/**
 * An experiment that has ended, or as far as it came.
 *
 * @param setting what was asked for
 * @param runs what was done of it, in the order of the plans
 */
public record Findings(Setting setting, ImmutableList<MeasuredRun> runs) {

    /**
     * What an experiment was asked to do.
     *
     * @param commandLine how to do it again
     * @param begun when it began
     * @param machine where
     * @param version of Robber
     * @param scenarios of different names, with their bounds
     * @param strategies their names
     * @param dataBytes size of the data
     * @param plannedRuns how many runs it was to have
     */
    public record Setting(
            String commandLine,
            Instant begun,
            Machine machine,
            String version,
            ImmutableMap<Scenario, Bound> scenarios,
            ImmutableList<String> strategies,
            long dataBytes,
            int plannedRuns) {}

    /** What some of these runs make of it; each must be of one of the setting's scenarios. */
    public static Findings of(Setting setting, Iterable<RunResult> results) {
        ImmutableList.Builder<MeasuredRun> runs = ImmutableList.builder();
        for (RunResult result : results) {
            runs.add(new MeasuredRun(result, bound(setting, result.scenario())));
        }
        return new Findings(setting, runs.build());
    }

    private static Bound bound(Setting setting, Scenario scenario) {
        return setting.scenarios().entrySet().stream()
                .filter(entry -> entry.getKey().name().equals(scenario.name()))
                .map(entry -> entry.getValue())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no scenario " + scenario.name()));
    }

    /** The runs of one strategy in one scenario. */
    public ImmutableList<MeasuredRun> runs(Scenario scenario, String strategy) {
        return runs.stream()
                .filter(run -> run.run().scenario().name().equals(scenario.name())
                        && run.run().strategy().equals(strategy))
                .collect(ImmutableList.toImmutableList());
    }

    /** One for each strategy in each scenario that has runs, scenario by scenario. */
    public ImmutableList<Summary> summaries() {
        ImmutableList.Builder<Summary> summaries = ImmutableList.builder();
        for (Scenario scenario : setting.scenarios().keySet()) {
            for (String strategy : setting.strategies()) {
                ImmutableList<MeasuredRun> cell = runs(scenario, strategy);
                if (!cell.isEmpty()) {
                    summaries.add(Summary.of(scenario.name(), strategy, cell));
                }
            }
        }
        return summaries.build();
    }
}

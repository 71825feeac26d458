package org.robber.emulation.experiment;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Streams;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.Scenario;

/**
 * The results of an experiment, which may have ended early.
 *
 * @param setting of the experiment
 * @param runs finished runs, scenario by scenario, strategy by strategy, seed by seed
 */
public record Findings(Setting setting, ImmutableList<MeasuredRun> runs) {

    /**
     * The setting of an experiment.
     *
     * @param commandLine repeats it
     * @param begun when it began
     * @param computer where it ran
     * @param version of Robber
     * @param scenarios of different names, with their bounds
     * @param strategies their names
     * @param dataBytes size of the data
     * @param deadline time within which a run must be complete to succeed
     * @param plannedRuns number of runs
     * @param wan the kind of WAN of the testbed; empty for the simulator
     */
    public record Setting(
            String commandLine,
            Instant begun,
            Computer computer,
            String version,
            ImmutableMap<Scenario, Bound> scenarios,
            ImmutableList<String> strategies,
            long dataBytes,
            Deadline deadline,
            int plannedRuns,
            String wan) {

        /** The scenario of this name, which must be there. */
        public Scenario scenario(String name) {
            return scenarios.keySet().stream()
                    .filter(scenario -> scenario.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no scenario " + name));
        }

        /** The figures of a run of one of the scenarios. */
        public MeasuredRun measured(RunResult run) {
            Bound bound = scenarios.getOrDefault(scenario(run.scenario().name()), Bound.UNKNOWN);
            return new MeasuredRun(run, bound, deadline.seconds(bound));
        }
    }

    /**
     * The findings of these runs, each of one of the setting's scenarios and strategies. Their order does not matter.
     */
    public static Findings of(Setting setting, Iterable<RunResult> results) {
        List<String> scenarios =
                setting.scenarios().keySet().stream().map(Scenario::name).toList();
        return new Findings(
                setting,
                Streams.stream(results)
                        .sorted(Comparator.<RunResult>comparingInt(
                                        run -> scenarios.indexOf(run.scenario().name()))
                                .thenComparingInt(run -> setting.strategies().indexOf(run.strategy()))
                                .thenComparingLong(RunResult::seed))
                        .map(setting::measured)
                        .collect(ImmutableList.toImmutableList()));
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

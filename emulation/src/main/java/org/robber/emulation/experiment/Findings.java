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
 * An experiment that has ended, or as far as it came.
 *
 * @param setting what was asked for
 * @param runs what was done of it, scenario by scenario, strategy by strategy, seed by seed
 */
public record Findings(Setting setting, ImmutableList<MeasuredRun> runs) {

    /**
     * What an experiment was asked to do.
     *
     * @param commandLine how to do it again
     * @param begun when it began
     * @param computer where
     * @param version of Robber
     * @param scenarios of different names, with their bounds
     * @param strategies their names
     * @param dataBytes size of the data
     * @param deadline by when every node must have everything for a run to count
     * @param plannedRuns how many runs it was to have
     * @param wan what emulates the links of the testbed, as users choose it; empty for the simulator
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

        /** A run of one of the scenarios, and what it means. */
        public MeasuredRun measured(RunResult run) {
            Bound bound = scenarios.getOrDefault(scenario(run.scenario().name()), Bound.UNKNOWN);
            return new MeasuredRun(run, bound, deadline.seconds(bound));
        }
    }

    /**
     * What some of these runs make of it; each must be of one of the setting's scenarios and strategies. Their order plays no
     * part: the same runs give the same findings, whichever was through first.
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

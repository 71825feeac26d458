package org.robber.emulation.runner;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.robber.emulation.experiment.Computer;
import org.robber.emulation.experiment.Findings.Setting;
import org.robber.emulation.experiment.RunPlan;
import org.robber.emulation.journal.Journal;
import org.robber.emulation.journal.JournalException;
import org.robber.emulation.report.ReportFolder;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.runner.ExperimentException.Reason;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.Scenario;

/**
 * Runs every strategy in every scenario with every call and seed. The folder of the report keeps a journal: runs that it holds are not done
 * again.
 */
public record ExperimentRun(ExperimentRequest request, ExperimentListener listener) {

    private static final String JOURNAL = "journal.jsonl";

    /** Of more runs than this, results keep only what all nodes received together over time. */
    private static final int MOST_DETAILED_RUNS = 100;

    /** Enough for a line in a chart. */
    private static final int MOST_INTERVALS = 100;

    /** How many runs are complete. */
    public enum Completeness {
        ALL,
        SOME,
        NONE
    }

    /**
     * Does all runs that are not in the journal.
     *
     * @throws ExperimentException if the experiment cannot begin, or ends early
     */
    public Completeness run() {
        ExperimentLimit limit = ExperimentLimit.of(request.deadline());
        ImmutableMap<Scenario, Collective> calls = calls(ScenarioFiles.read(
                ScenarioPaths.find(request.scenarios()), request.settings().nodesPerCluster()));
        if (isTraced() && calls.size() * request.strategies().size() * request.runs() > 1) {
            throw new ExperimentException(
                    Reason.USAGE,
                    "trace",
                    "--trace is for a single run: one scenario, one call, one strategy, --runs=1",
                    null);
        }
        Path report = request.report();
        if (report == null) {
            return run(calls, null, null, limit);
        }
        try {
            ReportFolder folder = ReportFolder.prepare(report);
            try (Journal journal = open(folder, calls.keySet().asList())) {
                return run(calls, folder, journal, limit);
            }
        } catch (IOException e) {
            throw reportFailure(e);
        }
    }

    /** Each scenario with each call. The name of a scenario says which call it is, unless it is a multicast: {@code tc1_mayhem:allgather}. */
    private ImmutableMap<Scenario, Collective> calls(List<Scenario> scenarios) {
        ImmutableMap.Builder<Scenario, Collective> calls = ImmutableMap.builder();
        Set<String> names = new HashSet<>();
        for (Scenario scenario : scenarios) {
            for (Collective call : request.collectives()) {
                String suffix = call == Collective.MULTICAST ? "" : ":" + call;
                Scenario named = scenario.named(scenario.name() + suffix);
                if (!names.add(named.name())) {
                    throw new ExperimentException(
                            Reason.USAGE,
                            ScenarioFiles.PHASE,
                            "two scenarios would be called " + named.name() + ": give one of them another name",
                            null);
                }
                calls.put(named, call);
            }
        }
        return calls.buildOrThrow();
    }

    private Journal open(ReportFolder folder, ImmutableList<Scenario> scenarios) throws IOException {
        Path file = folder.file(JOURNAL);
        String hint = ": name another folder, or add --restart to discard its runs";
        if (folder.holdsReport() && !Files.exists(file) && !request.restart()) {
            throw new ExperimentException(
                    Reason.DESTINATION, "report", file.getParent() + " holds a report without a journal" + hint, null);
        }
        ImmutableMap<String, String> conditions = ImmutableMap.<String, String>builder()
                .put("version", request.version() + " (build " + request.build() + ")")
                .putAll(request.settings().conditions(request.runDeadline()))
                .buildOrThrow();
        try {
            return Journal.open(file, request.restart(), now(), conditions, scenarios);
        } catch (JournalException e) {
            throw new ExperimentException(Reason.DESTINATION, "report", e.getMessage() + hint, e);
        }
    }

    private Completeness run(
            ImmutableMap<Scenario, Collective> calls,
            @Nullable ReportFolder folder,
            @Nullable Journal journal,
            ExperimentLimit limit) {
        ImmutableList<RunPlan> plans =
                RunPlan.seedBySeed(calls.keySet().asList(), request.strategies(), request.firstSeed(), request.runs());
        Setting setting = setting(calls, journal == null ? now() : journal.begun(), plans.size(), limit);
        OrderedResults results = new OrderedResults(setting, plans, listener, folder);
        try (ScenarioRunner runner = ScenarioRunner.open(
                request.settings(), calls, request.runDeadline(), setting.scenarios(), listener::remark)) {
            ImmutableList<RunPlan> missing = plans.stream()
                    .filter(plan ->
                            journal == null || isTraced() || journal.find(plan).isEmpty())
                    .collect(ImmutableList.toImmutableList());
            missing.forEach(runner::check);
            int recorded = plans.size() - missing.size();
            if (recorded > 0) {
                listener.remark("continuing: " + recorded + " of " + plans.size() + " runs are done");
            }
            listener.begin(setting, recorded);
            if (journal != null && !isTraced()) {
                plans.forEach(plan -> journal.find(plan).ifPresent(result -> results.add(plan, result)));
            }
            boolean detailed = plans.size() <= MOST_DETAILED_RUNS;
            new RunLoop(request, listener)
                    .run(missing, plan -> record(runner.run(plan), journal, detailed), results, limit);
            return results.completeness();
        }
    }

    /** A traced run is done again even if the journal holds it, because the journal holds no trace. */
    private boolean isTraced() {
        return request.settings().simulated().trace() != null;
    }

    /** Writes a run to the disk before anything is shown of it. */
    private static RunResult record(RunResult run, @Nullable Journal journal, boolean detailed) {
        RunResult brief = run.withTimeline(run.timeline().inShort(MOST_INTERVALS));
        if (journal != null) {
            try {
                journal.append(brief);
            } catch (IOException e) {
                throw reportFailure(e);
            }
        }
        return detailed ? run : brief;
    }

    private Setting setting(
            ImmutableMap<Scenario, Collective> calls, Instant begun, int plannedRuns, ExperimentLimit limit) {
        RunSettings settings = request.settings();
        RunSettings.InTestbed testbed = settings.testbed();
        return new Setting(
                request.commandLine(),
                begun,
                Computer.here(),
                request.version(),
                BoundSearch.bounds(calls, settings.dataBytes(), limit),
                request.strategies(),
                settings.dataBytes(),
                request.runDeadline(),
                plannedRuns,
                testbed == null ? "" : testbed.choices().wan().toString());
    }

    private static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS);
    }

    static ExperimentException reportFailure(IOException cause) {
        return new ExperimentException(
                Reason.DESTINATION, "report", "the report or its journal cannot be written", cause);
    }
}

package org.robber.cli.emulate;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.report.FileFailure;
import org.robber.emulation.experiment.Computer;
import org.robber.emulation.experiment.Experiment;
import org.robber.emulation.experiment.Findings.Setting;
import org.robber.emulation.experiment.RunPlan;
import org.robber.emulation.experiment.ScenarioRunner;
import org.robber.emulation.journal.Journal;
import org.robber.emulation.journal.JournalException;
import org.robber.emulation.report.ReportFolder;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.simulator.SharedComputer;

/**
 * One call of {@code robber-cli bench}: every strategy in every scenario with every seed. Runs that the folder of the report
 * holds already are not done again.
 */
public final class BenchRun {
    /** The runs that are done, beside the report. */
    static final String JOURNAL = "journal.jsonl";

    /** Enough for a line in a chart. */
    private static final int MOST_INTERVALS = 100;

    private final BenchRequest request;
    private final EmulateOutput output;
    private final EmulateProgress progress;
    private final Consumer<String> log;

    /**
     * @param output where results go
     * @param progress where progress is shown
     * @param log takes what else people may want to know
     */
    public BenchRun(BenchRequest request, EmulateOutput output, EmulateProgress progress, Consumer<String> log) {
        this.request = request;
        this.output = output;
        this.progress = progress;
        this.log = log;
    }

    /**
     * Runs everything that is not done yet.
     *
     * @return the exit code of the process
     * @throws RobberException if it can't be done, or not as a whole
     */
    public int run() {
        ImmutableList<Scenario> scenarios =
                ScenarioFiles.read(request.runs().files(), request.runs().nodes());
        Path report = request.runs().report();
        if (report == null) {
            return run(scenarios, null, null);
        }
        ReportFolder folder = Outcome.prepareFolder(report);
        try (Journal journal = open(folder, scenarios)) {
            return run(scenarios, folder, journal);
        } catch (IOException e) {
            throw destination("the journal cannot be written: " + FileFailure.text(e), e);
        }
    }

    private Journal open(ReportFolder folder, ImmutableList<Scenario> scenarios) {
        Path file = folder.file(JOURNAL);
        String hint = ": name another folder, or add --restart to give up what is there";
        if (folder.holdsReport() && !Files.exists(file) && !request.restart()) {
            throw destination(file.getParent() + " holds the report of something else" + hint, null);
        }
        try {
            return Journal.open(file, request.restart(), Settings.now(), conditions(), scenarios);
        } catch (JournalException e) {
            throw destination(e.getMessage() + hint, e);
        } catch (IOException e) {
            throw destination("the journal cannot be written: " + FileFailure.text(e), e);
        }
    }

    /** Runs that differ in any of these are not to be compared. */
    private ImmutableMap<String, String> conditions() {
        EmulateRequest runs = request.runs();
        ImmutableMap.Builder<String, String> conditions = ImmutableMap.builder();
        conditions.put("version", runs.version() + " (build " + request.build() + ")");
        conditions.put("--backend", runs.testbed() ? "testbed" : "sim");
        conditions.put("--size", Long.toString(runs.dataBytes()));
        conditions.put("--nodes", orDefault(runs.nodes()));
        conditions.put("--piece-size", orDefault(runs.pieceBytes()));
        conditions.put("--request-window", orDefault(runs.requestWindow()));
        conditions.put("--bwlimit", orNone(runs.sendLimits().bytesPerSecond()));
        conditions.put("--wan-bwlimit", orNone(runs.sendLimits().wanBytesPerSecond()));
        @Nullable Long faults = runs.faultSeed();
        conditions.put("--faults", faults == null ? "none" : faults.toString());
        @Nullable SharedComputer shared = runs.computer();
        conditions.put("--cores", orDefault(shared == null ? 0 : shared.cores()));
        conditions.put("--core-speed", shared == null ? "default" : Double.toString(shared.speed()));
        @Nullable String congestion = runs.choices().congestionControl();
        conditions.put("--congestion", congestion == null ? "default" : congestion);
        if (runs.testbed()) {
            conditions.put("--wan", runs.choices().wan().toString());
            conditions.put("--reserve-memory", Boolean.toString(runs.choices().reservesMemory()));
        }
        if (runs.testbed()) {
            Computer computer = Computer.here();
            conditions.put("machine", computer.cores() + " x " + computer.architecture());
            conditions.put("kernel", computer.system() + " " + computer.kernel());
            conditions.put("Java", computer.java());
        }
        return conditions.buildOrThrow();
    }

    private static String orNone(long bytesPerSecond) {
        return bytesPerSecond == 0 ? "none" : Long.toString(bytesPerSecond);
    }

    private static String orDefault(int value) {
        return value == 0 ? "default" : Integer.toString(value);
    }

    private int run(ImmutableList<Scenario> scenarios, @Nullable ReportFolder folder, @Nullable Journal journal) {
        EmulateRequest runs = request.runs();
        ImmutableList<RunPlan> plans =
                Experiment.seedBySeed(scenarios, runs.strategies(), runs.firstSeed(), runs.runs());
        Instant begun = journal == null ? Settings.now() : journal.begun();
        Setting setting = Settings.of(runs, scenarios, begun, request.deadline(), plans.size());
        ImmutableList<RunPlan> missing = plans.stream()
                .filter(plan -> journal == null || journal.find(plan).isEmpty())
                .collect(ImmutableList.toImmutableList());
        int done = plans.size() - missing.size();
        if (done > 0) {
            log.accept("continuing: " + done + " of " + plans.size() + " runs are done");
        }
        try (RunBackend backend = RunBackend.open(runs, setting, log)) {
            Outcome outcome = Outcome.begin(setting, output, folder);
            if (journal != null) {
                outcome.addRecorded(journal.findAll(plans));
            }
            return new RunLoop(runs, progress, log, advice()).run(missing, done, recording(backend, journal), outcome);
        }
    }

    /** What is shown of a run is on the disk already. */
    private static ScenarioRunner recording(RunBackend backend, @Nullable Journal journal) {
        return plan -> {
            RunResult run = backend.run(plan);
            RunResult kept = run.withTimeline(run.timeline().inShort(MOST_INTERVALS));
            if (journal != null) {
                try {
                    journal.append(kept);
                } catch (IOException e) {
                    throw new UncheckedIOException("the journal cannot be written: " + FileFailure.text(e), e);
                }
            }
            return kept;
        };
    }

    private String advice() {
        if (request.runs().report() == null) {
            return "with --report=DIR, the same command would continue there";
        }
        return "the same command continues there" + (request.restart() ? ", without --restart" : "");
    }

    static RobberException destination(String message, @Nullable Throwable cause) {
        return new RobberException(Reason.DESTINATION, List.of(), "report", message, cause);
    }
}

package org.robber.cli.emulate;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.report.FileFailure;
import org.robber.emulation.experiment.Findings;
import org.robber.emulation.experiment.Findings.Setting;
import org.robber.emulation.experiment.MeasuredRun;
import org.robber.emulation.experiment.RunPlan;
import org.robber.emulation.report.ReportFolder;
import org.robber.emulation.run.RunResult;

/**
 * The runs that are done: shown one by one, then summed up and reported, once, however it ends. They come in any order and count at
 * once; they are shown in the order of their plans, so that the same command prints the same. Thread-safe.
 */
final class Outcome {

    private final Setting setting;
    private final EmulateOutput output;
    private final @Nullable ReportFolder folder;
    private final List<RunResult> done = new ArrayList<>();

    /** What is not shown yet, from the first run that is not done. */
    private final Queue<RunPlan> unshown = new ArrayDeque<>();

    /** Those of them that are done. */
    private final Map<RunPlan, MeasuredRun> ahead = new HashMap<>();

    private boolean ended;

    private Outcome(Setting setting, EmulateOutput output, @Nullable ReportFolder folder) {
        this.setting = setting;
        this.output = output;
        this.folder = folder;
    }

    /** Of an experiment that is about to begin. */
    static Outcome begin(Setting setting, EmulateOutput output, @Nullable ReportFolder folder) {
        output.begin(setting);
        return new Outcome(setting, output, folder);
    }

    /**
     * The folder of the report, made and tried before anything runs.
     *
     * @throws RobberException if no report can be written there
     */
    static ReportFolder prepareFolder(Path folder) {
        try {
            return ReportFolder.prepare(folder);
        } catch (IOException e) {
            throw reportFailure(e);
        }
    }

    /** Runs that were done before. */
    synchronized void addRecorded(Collection<RunResult> results) {
        done.addAll(results);
    }

    /** These will be done, in any order, and are to be shown in this one. */
    synchronized void expect(Collection<RunPlan> plans) {
        unshown.addAll(plans);
    }

    /** A run that was expected is done, and counts unless the end has come. Returns what it means. */
    synchronized MeasuredRun add(RunPlan plan, RunResult result) {
        MeasuredRun measured = setting.measured(result);
        if (!ended) {
            done.add(result);
            ahead.put(plan, measured);
            for (RunPlan next = unshown.peek(); next != null && ahead.containsKey(next); next = unshown.peek()) {
                showNext();
            }
        }
        return measured;
    }

    private void showNext() {
        MeasuredRun run = ahead.remove(unshown.remove());
        if (run != null) {
            output.run(setting, run);
        }
    }

    /**
     * Nothing more comes: sums up and reports what is done.
     *
     * @return false if the end has come before
     * @throws RobberException if the report cannot be written
     */
    synchronized boolean end() {
        if (ended) {
            return false;
        }
        ended = true;
        while (!ahead.isEmpty()) {
            showNext();
        }
        Findings findings = Findings.of(setting, done);
        output.end(findings);
        if (folder != null) {
            try {
                folder.write(findings, output.detail());
            } catch (IOException e) {
                throw reportFailure(e);
            }
        }
        return true;
    }

    /** How far it came, for people. */
    synchronized String howFar() {
        return done.size() + " of " + setting.plannedRuns() + " runs are done";
    }

    /** What the process returns if nothing else went wrong. */
    synchronized int exitCode() {
        long complete = done.stream().filter(RunResult::isComplete).count();
        if (complete == done.size()) {
            return 0;
        }
        return (complete == 0 ? Reason.NETWORK : Reason.PARTIAL).exitCode();
    }

    private static RobberException reportFailure(IOException cause) {
        return new RobberException(
                Reason.DESTINATION,
                List.of(),
                "report",
                "the report cannot be written: " + FileFailure.text(cause),
                cause);
    }
}

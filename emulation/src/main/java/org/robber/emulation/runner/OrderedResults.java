package org.robber.emulation.runner;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.robber.emulation.experiment.Findings;
import org.robber.emulation.experiment.Findings.Setting;
import org.robber.emulation.experiment.MeasuredRun;
import org.robber.emulation.experiment.RunPlan;
import org.robber.emulation.report.ReportFolder;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.runner.ExperimentRun.Completeness;

/**
 * Collects results in the order in which runs end, shows them in the order of the plans, and reports them once. So the output does
 * not depend on which run was faster. Thread-safe.
 */
final class OrderedResults {

    private final Setting setting;
    private final ExperimentListener listener;
    private final @Nullable ReportFolder folder;
    private final List<RunResult> done = new ArrayList<>();

    /** Plans whose results are not shown yet. */
    private final Queue<RunPlan> unshown;

    /** Results that wait for those of earlier plans. */
    private final Map<RunPlan, MeasuredRun> waiting = new HashMap<>();

    private boolean ended;

    OrderedResults(
            Setting setting, ImmutableList<RunPlan> plans, ExperimentListener listener, @Nullable ReportFolder folder) {
        this.setting = setting;
        this.unshown = new ArrayDeque<>(plans);
        this.listener = listener;
        this.folder = folder;
    }

    /** Takes the result of a planned run, unless {@link #end} was called, and returns its figures. */
    synchronized MeasuredRun add(RunPlan plan, RunResult result) {
        MeasuredRun measured = setting.measured(result);
        if (!ended) {
            done.add(result);
            waiting.put(plan, measured);
            for (RunPlan next = unshown.peek(); next != null && waiting.containsKey(next); next = unshown.peek()) {
                showNext();
            }
        }
        return measured;
    }

    private void showNext() {
        MeasuredRun run = waiting.remove(unshown.remove());
        if (run != null) {
            listener.result(setting, run);
        }
    }

    /**
     * Shows all results and writes the report. Later results are ignored.
     *
     * @return false if it was called before
     * @throws ExperimentException if the report cannot be written
     */
    synchronized boolean end() {
        if (ended) {
            return false;
        }
        ended = true;
        while (!waiting.isEmpty()) {
            showNext();
        }
        Findings findings = Findings.of(setting, done);
        listener.end(findings);
        if (folder != null) {
            try {
                folder.write(findings);
            } catch (IOException e) {
                throw ExperimentRun.reportFailure(e);
            }
        }
        return true;
    }

    /** The number of finished runs, for people. */
    synchronized String progress() {
        return done.size() + " of " + setting.plannedRuns() + " runs are done";
    }

    synchronized Completeness completeness() {
        long complete = done.stream().filter(RunResult::isComplete).count();
        if (complete == done.size()) {
            return Completeness.ALL;
        }
        return complete == 0 ? Completeness.NONE : Completeness.SOME;
    }
}

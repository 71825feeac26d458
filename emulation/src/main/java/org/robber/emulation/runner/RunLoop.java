package org.robber.emulation.runner;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.robber.emulation.experiment.RunPlan;
import org.robber.emulation.runner.ExperimentException.Reason;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.testbed.sandbox.TestbedException;

/**
 * Does the runs of an experiment. If it ends early, by its deadline, a failure or a signal, finished runs are shown and
 * reported.
 */
record RunLoop(ExperimentRequest request, ExperimentListener listener) {
    /** From this many nodes on, one run needs the memory of the process for itself. */
    private static final int LARGE_NODES = 2000;

    /**
     * Does these runs.
     *
     * @throws ExperimentException if the experiment ends early
     */
    void run(ImmutableList<RunPlan> plans, ScenarioRunner runner, OrderedResults results, ExperimentLimit limit) {
        ParallelRuns runs = new ParallelRuns(
                plans,
                runner,
                runsAtATime(plans),
                listener::started,
                (plan, result) -> listener.finished(plan, results.add(plan, result)));
        Thread hook = new Thread(() -> interrupted(results), "interrupted");
        Runtime.getRuntime().addShutdownHook(hook);
        boolean inTime;
        try {
            inTime = runs.run(limit);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts an experiment", e);
        } catch (RunFailedException e) {
            end(results);
            throw failure(e);
        } finally {
            removeHook(hook);
        }
        end(results);
        if (!inTime) {
            throw new ExperimentException(
                    Reason.DEADLINE,
                    "runs",
                    "the deadline has passed: " + results.progress() + "; give it more time, or fewer --runs",
                    null);
        }
    }

    private static ExperimentException failure(RunFailedException e) {
        if (e.getCause() instanceof ExperimentException known) {
            return known;
        }
        String hint = e.getCause() instanceof OutOfMemoryError ? "; give it more: ROBBER_JAVA_FLAGS=-Xmx16g" : "";
        Reason reason = e.getCause() instanceof TestbedException ? Reason.NETWORK : Reason.INTERNAL;
        return new ExperimentException(reason, "runs", e.getMessage() + hint, e);
    }

    private void end(OrderedResults results) {
        if (results.end() && request.report() != null) {
            listener.remark("the report is in " + request.report());
        }
    }

    /** A signal ends the process, and its exit code names the signal. */
    private void interrupted(OrderedResults results) {
        if (results.end()) {
            String advice = request.report() == null
                    ? "with --report=DIR, the same command would continue there"
                    : "the same command continues there" + (request.restart() ? ", without --restart" : "");
            listener.remark("interrupted: " + results.progress() + "; " + advice);
        }
    }

    private int runsAtATime(List<RunPlan> plans) {
        if (request.settings().testbed() != null) {
            return 1;
        }
        if (request.jobs() > 0) {
            return request.jobs();
        }
        int nodes = plans.stream()
                .map(RunPlan::scenario)
                .mapToInt(Scenario::nodeCount)
                .max()
                .orElse(0);
        return nodes >= LARGE_NODES ? 1 : Runtime.getRuntime().availableProcessors();
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the process ends already, and the hook with it
        }
    }
}

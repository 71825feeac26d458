package org.robber.cli.emulate;

import com.google.common.collect.ImmutableList;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.emulation.experiment.Experiment;
import org.robber.emulation.experiment.RunFailedException;
import org.robber.emulation.experiment.RunListener;
import org.robber.emulation.experiment.RunPlan;
import org.robber.emulation.experiment.ScenarioRunner;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.testbed.sandbox.TestbedException;

/**
 * The runs of an experiment, from the first to the last. However it ends, by itself, at its deadline or by a signal: the runs
 * that are done are shown and reported.
 */
final class RunLoop {
    /** From this many nodes on, one run needs the memory of the process for itself. */
    private static final int LARGE_NODES = 2000;

    private final EmulateRequest request;
    private final EmulateProgress progress;
    private final Consumer<String> log;
    private final String advice;

    /**
     * @param progress where progress is shown
     * @param log takes what else people may want to know
     * @param advice what may be done after an interruption; empty for nothing
     */
    RunLoop(EmulateRequest request, EmulateProgress progress, Consumer<String> log, String advice) {
        this.request = request;
        this.progress = progress;
        this.log = log;
        this.advice = advice;
    }

    /**
     * Does these runs.
     *
     * @param done how many were done before
     * @return the exit code of the process
     * @throws RobberException if it can't be done, or not as a whole
     */
    int run(ImmutableList<RunPlan> plans, int done, ScenarioRunner runner, Outcome outcome) {
        outcome.expect(plans);
        Experiment experiment = new Experiment(plans, runner, runsAtATime(plans), listener(outcome));
        Thread hook = new Thread(() -> interrupted(outcome), "interrupted");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            runAll(experiment, done, plans.size(), outcome);
        } finally {
            removeHook(hook);
        }
        return outcome.exitCode();
    }

    private void runAll(Experiment experiment, int done, int missing, Outcome outcome) {
        Timer deadline = deadline(Thread.currentThread(), request.deadline());
        progress.begin(done + missing, done);
        try {
            experiment.run();
        } catch (InterruptedException e) {
            end(outcome);
            String message = "the deadline has passed: " + outcome.howFar() + "; give it more time, or fewer --runs";
            throw new RobberException(Reason.DEADLINE, List.of(), "runs", message, e);
        } catch (RunFailedException e) {
            end(outcome);
            throw failure(e);
        } finally {
            deadline.cancel();
            progress.end();
        }
        end(outcome);
    }

    private static RobberException failure(RunFailedException e) {
        String hint = e.getCause() instanceof OutOfMemoryError ? "; give it more: ROBBER_JAVA_FLAGS=-Xmx16g" : "";
        return new RobberException(reason(e.getCause()), List.of(), "runs", e.getMessage() + hint, e);
    }

    private static Reason reason(@Nullable Throwable cause) {
        if (cause instanceof UncheckedIOException) {
            return Reason.DESTINATION;
        }
        return cause instanceof TestbedException ? Reason.NETWORK : Reason.INTERNAL;
    }

    private void end(Outcome outcome) {
        if (outcome.end() && request.report() != null) {
            log.accept("the report is in " + request.report());
        }
    }

    /** The process is to end at once; its exit code tells of the signal. */
    private void interrupted(Outcome outcome) {
        if (outcome.end()) {
            log.accept("interrupted: " + outcome.howFar() + (advice.isEmpty() ? "" : "; " + advice));
        }
    }

    private int runsAtATime(List<RunPlan> plans) {
        if (request.testbed()) {
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

    private RunListener listener(Outcome outcome) {
        return new RunListener() {
            @Override
            public void started(RunPlan plan) {
                progress.started(plan);
            }

            @Override
            public void finished(RunPlan plan, RunResult result) {
                progress.finished(plan, outcome.add(plan, result));
            }
        };
    }

    private static Timer deadline(Thread thread, @Nullable Duration length) {
        Timer timer = new Timer("deadline", true);
        if (length != null) {
            timer.schedule(
                    new TimerTask() {
                        @Override
                        public void run() {
                            thread.interrupt();
                        }
                    },
                    length.toMillis());
        }
        return timer;
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the process ends already, and the hook with it
        }
    }
}

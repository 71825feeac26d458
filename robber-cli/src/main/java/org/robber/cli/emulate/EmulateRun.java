package org.robber.cli.emulate;

import com.google.common.collect.ImmutableList;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.emulation.experiment.Experiment;
import org.robber.emulation.experiment.Findings.Setting;
import org.robber.emulation.experiment.RunFailedException;
import org.robber.emulation.experiment.RunListener;
import org.robber.emulation.experiment.RunPlan;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.testbed.sandbox.TestbedException;

/**
 * One call of {@code robber-cli emulate}. However it ends, by itself, at its deadline or by a signal: the runs that are done
 * are shown and reported.
 */
public final class EmulateRun {

    /** From this many nodes on, one run needs the memory of the process for itself. */
    private static final int LARGE_NODES = 2000;

    private final EmulateRequest request;
    private final EmulateOutput output;
    private final EmulateProgress progress;
    private final Consumer<String> log;

    /**
     * @param output where results go
     * @param progress where progress is shown
     * @param log takes what else people may want to know
     */
    public EmulateRun(EmulateRequest request, EmulateOutput output, EmulateProgress progress, Consumer<String> log) {
        this.request = request;
        this.output = output;
        this.progress = progress;
        this.log = log;
    }

    /**
     * Runs everything.
     *
     * @return the exit code of the process
     * @throws RobberException if it can't be done, or not as a whole
     */
    public int run() {
        ImmutableList<Scenario> scenarios = ScenarioFiles.read(request.files(), request.nodes());
        Path report = request.report();
        var folder = report == null ? null : Outcome.prepareFolder(report);
        ImmutableList<RunPlan> plans =
                Experiment.everyOneOf(scenarios, request.strategies(), request.firstSeed(), request.runs());
        Setting setting = Settings.of(request, scenarios, plans.size());
        try (RunBackend runner = backend(setting)) {
            Outcome outcome = Outcome.begin(setting, output, folder);
            Experiment experiment = new Experiment(plans, runner, runsAtATime(scenarios), listener(outcome));
            Thread hook = new Thread(() -> interrupted(outcome), "interrupted");
            Runtime.getRuntime().addShutdownHook(hook);
            try {
                runAll(experiment, plans.size(), outcome);
            } finally {
                removeHook(hook);
            }
            return outcome.exitCode();
        }
    }

    private void runAll(Experiment experiment, int plannedRuns, Outcome outcome) {
        Timer deadline = deadline(Thread.currentThread(), request.deadline());
        progress.begin(plannedRuns);
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

    private RunBackend backend(Setting setting) {
        if (!request.testbed()) {
            return new SimulatorRunner(request, setting.scenarios());
        }
        try {
            return new TestbedRunner(request, setting.scenarios(), log);
        } catch (TestbedException e) {
            throw new RobberException(Reason.NETWORK, List.of(), "testbed", String.valueOf(e.getMessage()), e);
        }
    }

    private static RobberException failure(RunFailedException e) {
        Reason reason = e.getCause() instanceof TestbedException ? Reason.NETWORK : Reason.INTERNAL;
        String hint = e.getCause() instanceof OutOfMemoryError ? "; give it more: ROBBER_JAVA_FLAGS=-Xmx16g" : "";
        return new RobberException(reason, List.of(), "runs", e.getMessage() + hint, e);
    }

    private void end(Outcome outcome) {
        if (outcome.end() && request.report() != null) {
            log.accept("the report is in " + request.report());
        }
    }

    /** The process is to end at once; its exit code tells of the signal. */
    private void interrupted(Outcome outcome) {
        if (outcome.end()) {
            log.accept("interrupted: " + outcome.howFar());
        }
    }

    private int runsAtATime(List<Scenario> scenarios) {
        if (request.testbed()) {
            return 1;
        }
        if (request.jobs() > 0) {
            return request.jobs();
        }
        int nodes = scenarios.stream().mapToInt(Scenario::nodeCount).max().orElse(0);
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
                progress.finished(plan);
                outcome.add(result);
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

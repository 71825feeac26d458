package org.robber.emulation.runner;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.robber.emulation.experiment.RunPlan;
import org.robber.emulation.run.RunResult;

/** Does several runs at a time. */
final class ParallelRuns {

    private final ImmutableList<RunPlan> plans;
    private final ScenarioRunner runner;
    private final int runsAtATime;
    private final Consumer<RunPlan> started;
    private final BiConsumer<RunPlan, RunResult> finished;

    /**
     * @param plans the runs, which begin in this order
     * @param runsAtATime at least 1
     * @param started is told of each run that begins, on any thread
     * @param finished takes each result as soon as its run has ended, on any thread
     */
    ParallelRuns(
            ImmutableList<RunPlan> plans,
            ScenarioRunner runner,
            int runsAtATime,
            Consumer<RunPlan> started,
            BiConsumer<RunPlan, RunResult> finished) {
        checkArgument(runsAtATime >= 1, "runsAtATime: %s", runsAtATime);
        this.plans = plans;
        this.runner = runner;
        this.runsAtATime = runsAtATime;
        this.started = started;
        this.finished = finished;
    }

    /**
     * Does all runs. The first exception that a runner throws ends them.
     *
     * @param limit after which unfinished runs are interrupted
     * @return whether all have ended in time
     * @throws InterruptedException if this thread was interrupted; unfinished runs are interrupted, too
     * @throws RunFailedException if a run threw an exception; names the run
     */
    boolean run(ExperimentLimit limit) throws InterruptedException {
        // The end of the process must not wait for runs.
        ExecutorService threads = Executors.newFixedThreadPool(
                Math.min(runsAtATime, Math.max(1, plans.size())),
                new ThreadFactoryBuilder().setNameFormat("run").setDaemon(true).build());
        try {
            CompletionService<RunPlan> ended = new ExecutorCompletionService<>(threads);
            for (RunPlan plan : plans) {
                ended.submit(() -> run(plan), plan);
            }
            for (int i = 0; i < plans.size(); i++) {
                // The wait knows the limit: an interrupt from elsewhere could come when the last run has ended, and
                // break the report.
                Future<RunPlan> next = ended.poll(limit.leftNanos(), TimeUnit.NANOSECONDS);
                if (next == null) {
                    return false;
                }
                RunPlan unused = next.get();
            }
            return true;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RunFailedException failure ? failure : new IllegalStateException(e);
        } finally {
            threads.shutdownNow();
        }
    }

    private void run(RunPlan plan) {
        started.accept(plan);
        try {
            finished.accept(plan, runner.run(plan));
        } catch (RuntimeException | Error | InterruptedException e) {
            throw new RunFailedException(plan, e);
        }
    }
}

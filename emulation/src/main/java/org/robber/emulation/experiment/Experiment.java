package org.robber.emulation.experiment;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.Scenario;

/**
 * Does runs, several at a time, and gives their results in the order of the plans: how many run at a time, and which of them
 * is through first, changes nothing in what comes out. Its listener hears of each as soon as it has ended, whatever else still
 * runs: what was done is not lost when the rest takes too long.
 */
public final class Experiment {

    private final ImmutableList<RunPlan> plans;
    private final ScenarioRunner runner;
    private final int runsAtATime;
    private final RunListener listener;
    private final Object heard = new Object();

    /** Whether the listener hears nothing any more; guarded by {@link #heard}. */
    private boolean over;

    /** The first; guarded by {@link #heard}. */
    private @Nullable RunFailedException failure;

    /**
     * @param plans what to run, in this order
     * @param runner what runs it
     * @param runsAtATime at least 1
     * @param listener hears of it
     */
    public Experiment(ImmutableList<RunPlan> plans, ScenarioRunner runner, int runsAtATime, RunListener listener) {
        checkArgument(runsAtATime >= 1, "runsAtATime: %s", runsAtATime);
        this.plans = plans;
        this.runner = runner;
        this.runsAtATime = runsAtATime;
        this.listener = listener;
    }

    /** Every strategy in every scenario with every seed, scenario by scenario. */
    public static ImmutableList<RunPlan> everyOneOf(
            List<Scenario> scenarios, List<String> strategies, long firstSeed, int seeds) {
        ImmutableList.Builder<RunPlan> plans = ImmutableList.builder();
        for (Scenario scenario : scenarios) {
            for (String strategy : strategies) {
                for (int i = 0; i < seeds; i++) {
                    plans.add(new RunPlan(scenario, strategy, firstSeed + i));
                }
            }
        }
        return plans.build();
    }

    /**
     * The same, but every strategy with the first seed, then every strategy with the next: what is done of it when it ends
     * early can be compared, and whatever changes slowly in the computer harms all strategies alike.
     */
    public static ImmutableList<RunPlan> seedBySeed(
            List<Scenario> scenarios, List<String> strategies, long firstSeed, int seeds) {
        ImmutableList.Builder<RunPlan> plans = ImmutableList.builder();
        for (Scenario scenario : scenarios) {
            for (int i = 0; i < seeds; i++) {
                for (String strategy : strategies) {
                    plans.add(new RunPlan(scenario, strategy, firstSeed + i));
                }
            }
        }
        return plans.build();
    }

    /**
     * Does all runs. What the runner throws ends the experiment: runs that were through before have been heard of. Once this method
     * has ended, however it did, the listener hears nothing any more.
     *
     * @return one result for each plan, in their order
     * @throws InterruptedException if this thread was interrupted; runs that go on are interrupted too
     * @throws RunFailedException if a run threw something, naming the run
     */
    public ImmutableList<RunResult> run() throws InterruptedException {
        ExecutorService threads =
                Executors.newFixedThreadPool(Math.min(runsAtATime, Math.max(1, plans.size())), task -> {
                    Thread thread = new Thread(task, "run");
                    // who is told to end the process does not wait for runs
                    thread.setDaemon(true);
                    return thread;
                });
        try {
            CompletionService<RunResult> ended = new ExecutorCompletionService<>(threads);
            List<Future<RunResult>> running = new ArrayList<>();
            for (RunPlan plan : plans) {
                running.add(ended.submit(() -> run(plan)));
            }
            for (int i = 0; i < plans.size(); i++) {
                RunResult unused = ended.take().get();
            }
            ImmutableList.Builder<RunResult> results = ImmutableList.builder();
            for (Future<RunResult> run : running) {
                results.add(run.get());
            }
            return results.build();
        } catch (ExecutionException e) {
            synchronized (heard) {
                throw failure == null ? new IllegalStateException(e.getCause()) : failure;
            }
        } finally {
            synchronized (heard) {
                over = true;
            }
            threads.shutdownNow();
        }
    }

    private RunResult run(RunPlan plan) throws InterruptedException {
        if (!tell(() -> listener.started(plan))) {
            throw new CancellationException("another run has failed");
        }
        try {
            RunResult result = runner.run(plan);
            boolean unused = tell(() -> listener.finished(plan, result));
            return result;
        } catch (RuntimeException | Error | InterruptedException e) {
            fail(plan, e);
            throw e;
        }
    }

    /** Returns whether the listener heard of it: not if the experiment is over. */
    private boolean tell(Runnable news) {
        synchronized (heard) {
            if (!over) {
                news.run();
            }
            return !over;
        }
    }

    /** Nothing that happens after the first failure counts. */
    private void fail(RunPlan plan, Throwable why) {
        synchronized (heard) {
            if (!over) {
                over = true;
                failure = new RunFailedException(plan, why);
            }
        }
    }
}

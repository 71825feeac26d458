package org.robber.emulation.experiment;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.Scenario;

/**
 * Does runs, several at a time, and gives their results in the order of the plans: how many run at a time, and which of them
 * is through first, changes nothing in what comes out.
 */
public final class Experiment {

    private final ImmutableList<RunPlan> plans;
    private final ScenarioRunner runner;
    private final int runsAtATime;
    private final RunListener listener;
    private final Object heard = new Object();

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
     * early can be compared, and whatever changes slowly in the machine harms all strategies alike.
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
     * Does all runs. What the runner throws ends the experiment: runs that were through before have been heard of.
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
            List<Future<RunResult>> running = new ArrayList<>();
            for (RunPlan plan : plans) {
                running.add(threads.submit(() -> run(plan)));
            }
            ImmutableList.Builder<RunResult> results = ImmutableList.builder();
            for (int i = 0; i < plans.size(); i++) {
                RunResult result = await(plans.get(i), running.get(i));
                synchronized (heard) {
                    listener.finished(plans.get(i), result);
                }
                results.add(result);
            }
            return results.build();
        } finally {
            threads.shutdownNow();
        }
    }

    private RunResult run(RunPlan plan) throws InterruptedException {
        synchronized (heard) {
            listener.started(plan);
        }
        return runner.run(plan);
    }

    private static RunResult await(RunPlan plan, Future<RunResult> run) throws InterruptedException {
        try {
            return run.get();
        } catch (ExecutionException e) {
            throw new RunFailedException(plan, e.getCause() == null ? e : e.getCause());
        }
    }
}

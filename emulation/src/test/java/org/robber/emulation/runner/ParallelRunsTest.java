package org.robber.emulation.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.robber.emulation.experiment.HandMade;
import org.robber.emulation.experiment.RunPlan;
import org.robber.emulation.run.RunResult;

class ParallelRunsTest {

    private final ImmutableList<RunPlan> plans = RunPlan.seedBySeed(
            List.of(HandMade.scenario("x", 2, 2), HandMade.scenario("y", 2, 2)), List.of("robber", "mob"), 7, 2);

    private final List<RunPlan> finished = new CopyOnWriteArrayList<>();

    /** The caller writes the report next, and an interrupt would end that. */
    @Test
    void resultsComeWhileAnEarlierRunContinuesAndTheLimitEndsThatOne() throws InterruptedException {
        CountDownLatch others = new CountDownLatch(plans.size() - 1);
        CountDownLatch firstInterrupted = new CountDownLatch(1);
        ScenarioRunner runner = plan -> {
            if (plan.equals(plans.get(0))) {
                others.await();
                try {
                    new CountDownLatch(1).await();
                } finally {
                    firstInterrupted.countDown();
                }
            }
            return result(plan);
        };
        ParallelRuns runs = new ParallelRuns(plans, runner, 2, plan -> {}, (plan, result) -> {
            finished.add(plan);
            others.countDown();
        });

        assertThat(runs.run(ExperimentLimit.of(Duration.ofSeconds(3)))).isFalse();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        firstInterrupted.await();
        assertThat(finished).containsExactlyElementsOf(plans.subList(1, plans.size()));
    }

    @Test
    void theGivenNumberRunsAtATime() throws InterruptedException {
        CyclicBarrier fourAtOnce = new CyclicBarrier(4);
        ScenarioRunner runner = plan -> {
            try {
                fourAtOnce.await();
            } catch (BrokenBarrierException e) {
                throw new IllegalStateException(e);
            }
            return result(plan);
        };

        runs(runner, 4).run(ExperimentLimit.of(null));

        assertThat(finished).containsExactlyInAnyOrderElementsOf(plans);
    }

    @Test
    void anExceptionEndsTheRunsAndNamesItsRun() {
        ScenarioRunner runner = plan -> {
            if (plan.equals(plans.get(1))) {
                throw new IllegalStateException("rank 3 is complete without piece 5");
            }
            return result(plan);
        };

        assertThatThrownBy(() -> runs(runner, 1).run(ExperimentLimit.of(null)))
                .isInstanceOf(RunFailedException.class)
                .hasMessage("x, mob, seed 7: rank 3 is complete without piece 5")
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThat(finished).startsWith(plans.get(0)).doesNotContain(plans.get(1));
    }

    private ParallelRuns runs(ScenarioRunner runner, int runsAtATime) {
        return new ParallelRuns(plans, runner, runsAtATime, plan -> {}, (plan, result) -> finished.add(plan));
    }

    private static RunResult result(RunPlan plan) {
        return HandMade.run(plan.scenario(), plan.strategy(), plan.seed(), 50);
    }
}

package org.robber.emulation.experiment;

import org.robber.emulation.run.RunResult;

/** Runs strategies in scenarios: the simulator or the testbed. */
@FunctionalInterface
public interface ScenarioRunner {

    /**
     * Does one run; called from several threads at a time if the experiment is told to.
     *
     * @return what became of it, also where nodes did not get everything
     * @throws InterruptedException if the thread was interrupted, and the run has ended early
     */
    RunResult run(RunPlan plan) throws InterruptedException;
}

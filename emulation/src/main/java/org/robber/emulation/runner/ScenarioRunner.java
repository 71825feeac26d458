package org.robber.emulation.runner;

import com.google.common.collect.ImmutableMap;
import java.util.function.Consumer;
import org.robber.emulation.experiment.Bound;
import org.robber.emulation.experiment.Deadline;
import org.robber.emulation.experiment.RunPlan;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.runner.ExperimentException.Reason;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.testbed.sandbox.TestbedException;

/** Runs strategies in scenarios: the simulator or the testbed. */
@FunctionalInterface
interface ScenarioRunner extends AutoCloseable {

    /**
     * The simulator or the testbed, as these settings say.
     *
     * @param calls the call of each scenario
     * @param runDeadline of each run
     * @param log takes remarks for people
     * @throws ExperimentException if there can be no testbed on this machine, or a trace cannot be written
     */
    static ScenarioRunner open(
            RunSettings settings,
            ImmutableMap<Scenario, Collective> calls,
            Deadline runDeadline,
            ImmutableMap<Scenario, Bound> bounds,
            Consumer<String> log) {
        RunSettings.InTestbed testbed = settings.testbed();
        if (testbed == null) {
            return new SimulatorRunner(settings, calls, bounds);
        }
        try {
            return new TestbedRunner(settings, testbed, runDeadline, bounds, log);
        } catch (TestbedException e) {
            throw new ExperimentException(Reason.NETWORK, "testbed", String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Refuses a run that cannot begin, or whose result would tell nothing of its strategy.
     *
     * @throws ExperimentException if it is refused
     */
    default void check(RunPlan plan) {}

    /**
     * Why a run is refused whose root is not rank 0.
     *
     * @param who what needs rank 0, with its verb
     */
    static ExperimentException rootIsNotFirst(Scenario scenario, String who) {
        return new ExperimentException(
                Reason.USAGE,
                ScenarioFiles.PHASE,
                scenario.name() + ": " + who
                        + " rank 0, the first node of the first cluster: name the root's cluster first",
                null);
    }

    /**
     * Does one run. Several threads may call it at a time, if the experiment has more than one run at a time.
     *
     * @return the result, also of a run in which nodes did not get everything
     * @throws InterruptedException if the thread was interrupted, and the run has ended early
     */
    RunResult run(RunPlan plan) throws InterruptedException;

    /** Releases what runs needed; idempotent. */
    @Override
    default void close() {}
}

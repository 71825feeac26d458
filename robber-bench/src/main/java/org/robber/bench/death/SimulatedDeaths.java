package org.robber.bench.death;

import com.google.common.collect.ImmutableList;
import org.robber.core.strategy.Strategies;
import org.robber.emulation.run.NodeRun;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.simulator.Simulation;
import org.robber.emulation.simulator.SimulationOptions;
import org.robber.emulation.simulator.fault.Fault;
import org.robber.emulation.simulator.fault.FaultPlan;

/** Under virtual time. */
final class SimulatedDeaths implements Deaths {
    /** Peers of a killed process hear of it at once; of a machine that is gone, they do not. */
    private static final long DETECTION_NANOS = 200_000_000;

    private final Scenario scenario;
    private final OneDeathOptions options;

    SimulatedDeaths(Scenario scenario, OneDeathOptions options) {
        this.scenario = scenario;
        this.options = options;
    }

    @Override
    public int root() {
        return scenario.rankOf(scenario.root());
    }

    @Override
    public double undisturbed(long seed) {
        return seconds(seed, FaultPlan.NONE, -1);
    }

    @Override
    public double withDeath(long seed, int rank, double share, double undisturbedSeconds) {
        Fault death = new Fault.Crash((long) (share * undisturbedSeconds * 1e9), rank);
        return seconds(seed, new FaultPlan(ImmutableList.of(death), 0, DETECTION_NANOS), rank);
    }

    private double seconds(long seed, FaultPlan plan, int dead) {
        RunResult result = Simulation.run(
                scenario,
                SimulationOptions.of(Strategies.byName(options.strategy()), seed, options.dataBytes())
                        .withFaults(plan));
        long last = 0;
        for (NodeRun node : result.nodes()) {
            if (node.rank() != dead) {
                if (node.completeNanos() < 0) {
                    throw new IllegalStateException("seed " + seed + ": " + result.problem());
                }
                last = Math.max(last, node.completeNanos());
            }
        }
        return last / 1e9;
    }

    @Override
    public void close() {
        // nothing is held
    }
}

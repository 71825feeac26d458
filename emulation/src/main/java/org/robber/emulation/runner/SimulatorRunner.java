package org.robber.emulation.runner;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableMap;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.random.SeededRandom;
import org.robber.core.strategy.Strategies;
import org.robber.emulation.experiment.Bound;
import org.robber.emulation.experiment.InitialBandwidths;
import org.robber.emulation.experiment.RunPlan;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.simulator.NodeCosts;
import org.robber.emulation.simulator.SharedComputer;
import org.robber.emulation.simulator.Simulation;
import org.robber.emulation.simulator.SimulationOptions;
import org.robber.emulation.simulator.fault.FaultPlan;
import org.robber.emulation.simulator.network.NodeSendLimits;

/** Does runs in the simulator. */
final class SimulatorRunner implements ScenarioRunner {

    private static final long SHORTEST_SAMPLE_NANOS = 1_000_000;
    private static final long LONGEST_SAMPLE_NANOS = 1_000_000_000;
    private static final int SAMPLES_IN_BOUND = 200;

    /** Samples of all nodes together in the time of the bound; each is a number that is kept until the end. */
    private static final int MOST_SAMPLES = 1_000_000;

    /**
     * The size of piece for the chance of damage: about one of all received pieces is damaged. A node that sends damaged pieces
     * repeatedly is excluded, and that fault would not pass.
     */
    private static final int SMALL_PIECE_BYTES = 32 << 10;

    /** The use of the seed of faults. */
    private static final long FAULT_USE = 1;

    private final RunSettings settings;
    private final ImmutableMap<Scenario, Collective> calls;
    private final ImmutableMap<Scenario, Bound> bounds;
    private final @Nullable TraceFile trace;

    SimulatorRunner(
            RunSettings settings, ImmutableMap<Scenario, Collective> calls, ImmutableMap<Scenario, Bound> bounds) {
        this.settings = settings;
        this.calls = calls;
        this.bounds = bounds;
        Path file = settings.simulated().trace();
        this.trace = file == null ? null : new TraceFile(file);
    }

    /** A rival is compared by the trees that it would plan for the root of the scenario. */
    @Override
    public void check(RunPlan plan) {
        Scenario scenario = plan.scenario();
        if (call(scenario) == Collective.MULTICAST
                && scenario.rankOf(scenario.root()) != 0
                && strategy(plan).plansForRankZero()) {
            throw ScenarioRunner.rootIsNotFirst(scenario, plan.strategy() + " plans for");
        }
    }

    private Collective call(Scenario scenario) {
        return checkNotNull(calls.get(scenario));
    }

    private static MulticastStrategy strategy(RunPlan plan) {
        return Strategies.byName(plan.strategy(), InitialBandwidths.of(plan.scenario()));
    }

    @Override
    public RunResult run(RunPlan plan) {
        SimulationOptions options = SimulationOptions.of(strategy(plan), plan.seed(), settings.dataBytes())
                .withCollective(call(plan.scenario()))
                .withPieceBytes(settings.pieceBytes())
                .withRequestWindow(settings.requestWindow())
                .withSendLimits(
                        NodeSendLimits.ofOptions(settings.sendBytesPerSecond(), settings.wanSendBytesPerSecond()))
                .withJobsBeside(settings.jobsBeside())
                .withLimitForBound(
                        bounds.getOrDefault(plan.scenario(), Bound.UNKNOWN).adaptSeconds())
                .withSampleNanos(sampleNanos(plan.scenario()));
        Long faultSeed = settings.simulated().faultSeed();
        if (faultSeed != null) {
            options = options.withFaults(faults(plan.scenario(), faultSeed));
        }
        SharedComputer computer = settings.simulated().computer();
        if (computer != null) {
            options = options.withCosts(NodeCosts.onOneComputer(plan.scenario().nodeCount(), computer));
        }
        if (trace != null) {
            options = options.withTraceSink(trace);
        }
        return Simulation.run(plan.scenario(), options);
    }

    /** Faults within the time of the bound; the same for all runs of a scenario, so that runs are comparable. */
    private FaultPlan faults(Scenario scenario, long seed) {
        double nanos = bounds.getOrDefault(scenario, Bound.UNKNOWN).adaptSeconds() * 1e9;
        long horizonNanos = nanos >= SHORTEST_SAMPLE_NANOS ? (long) nanos : LONGEST_SAMPLE_NANOS;
        FaultPlan plan = FaultPlan.passing(scenario, SeededRandom.forUse(seed, FAULT_USE), horizonNanos);
        double pieces = 1 + (double) settings.dataBytes() / SMALL_PIECE_BYTES * scenario.nodeCount();
        return new FaultPlan(plan.faults(), Math.min(plan.corruptChance(), 1 / pieces), plan.detectionNanos());
    }

    /** As fine as the charts of the report can show. */
    private long sampleNanos(Scenario scenario) {
        Bound bound = bounds.getOrDefault(scenario, Bound.UNKNOWN);
        int samples = Math.min(SAMPLES_IN_BOUND, 1 + MOST_SAMPLES / scenario.nodeCount());
        double nanos = bound.adaptSeconds() * 1e9 / samples;
        return nanos >= SHORTEST_SAMPLE_NANOS && nanos <= LONGEST_SAMPLE_NANOS
                ? (long) nanos
                : nanos < SHORTEST_SAMPLE_NANOS ? SHORTEST_SAMPLE_NANOS : LONGEST_SAMPLE_NANOS;
    }

    @Override
    public void close() {
        if (trace != null) {
            trace.close();
        }
    }
}

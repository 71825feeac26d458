package org.robber.emulation.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;
import org.robber.core.strategy.Strategies;
import org.robber.core.topology.Overlay;
import org.robber.core.trace.TraceHash;
import org.robber.emulation.run.NodeRun;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioFamily;
import org.robber.emulation.simulator.fault.Fault;
import org.robber.emulation.simulator.fault.FaultPlan;
import org.robber.emulation.simulator.fault.RandomFaults;
import org.robber.emulation.simulator.network.NetworkOptions;
import org.robber.emulation.simulator.network.NodeSendLimits;

/**
 * Hundreds of random scenarios, each wholly described by one number: clusters, network, phases, data, strategy, costs,
 * faults. To see one again: {@code -Drobber.seed=N}.
 */
class SwarmTest {
    private static final long FIRST_SEED = SeededRuns.firstSeed();
    private static final int RUNS = SeededRuns.count(80);
    private static final long HORIZON_NANOS = 4_000_000_000L;

    /** Small, of every kind, and every cluster linked with every other: connections need both directions. */
    private static final ScenarioFamily FAMILY =
            new ScenarioFamily(5, 7, 0.5e6, 20e6, 50_000_000, 0.01, 1, 0.4, 0.1, 4, 5_000_000_000L);

    @Test
    void everyNodeGetsEverythingWhereNothingGoesWrong() {
        each(RUNS, seed -> {
            RunResult result = new Draw(seed).run(FaultPlan.NONE);
            assertThat(result.problem()).isEmpty();
            assertThat(result.nanos()).isNotNegative();
        });
    }

    @Test
    void everyNodeGetsEverythingInSpiteOfWhatPasses() {
        each(SeededRuns.count(40), seed -> {
            Draw draw = new Draw(seed);
            RunResult result = draw.run(FaultPlan.passing(draw.scenario, draw.random, HORIZON_NANOS));
            assertThat(result.problem()).isEmpty();
            assertThat(result.nanos()).isNotNegative();
        });
    }

    @Test
    void aDeathIsSurvivedOrTheNodesThatWaitAreNamed() {
        each(SeededRuns.count(40), seed -> {
            Draw draw = new Draw(seed);
            if (draw.scenario.nodeCount() > 1) {
                FaultPlan plan = RandomFaults.crash(draw.scenario, draw.random, HORIZON_NANOS);
                RunResult result = draw.run(plan);
                assertThatNoPromiseIsBroken(result);
                int dead = ((Fault.Crash) plan.faults().get(0)).rank();
                for (NodeRun node : result.nodes()) {
                    if (node.completeNanos() < 0) {
                        assertThat(result.problem()).contains("(rank ");
                        // MOB has no other node do the work of a node that lost all its peers outside.
                        assertThat(node.rank() == dead || draw.strategy.equals("mob"))
                                .as(result.problem())
                                .isTrue();
                    }
                }
                if (result.nodes().get(dead).completeNanos() < 0) {
                    assertThat(result.problem()).contains("(rank " + dead + ") died as planned");
                }
            }
        });
    }

    @Test
    void whoIsStillConnectedToACompleteNodeIsCompleteTooWhoeverElseDies() {
        each(SeededRuns.count(40), seed -> {
            Draw draw = new Draw(seed, "robber");
            FaultPlan plan =
                    RandomFaults.crashes(draw.scenario, draw.random, 2 + draw.random.nextInt(4), HORIZON_NANOS);
            RunResult result = draw.run(plan);
            assertThatNoPromiseIsBroken(result);
            Set<Integer> dead = new TreeSet<>();
            plan.faults().forEach(fault -> dead.add(((Fault.Crash) fault).rank()));
            Overlay overlay = Strategies.byName("robber").planOverlay(draw.scenario.topology(), seed);
            for (NodeRun node : result.nodes()) {
                if (node.completeNanos() >= 0 && !dead.contains(node.rank())) {
                    for (int peer : overlay.peers(node.rank())) {
                        assertThat(dead.contains(peer)
                                        || result.nodes().get(peer).completeNanos() >= 0)
                                .as("rank %s, whose peer %s is complete: %s", peer, node.rank(), result.problem())
                                .isTrue();
                    }
                }
            }
        });
    }

    /** What deaths leave undone is told as such; a broken promise is told in words of its own, and ends the run. */
    private static void assertThatNoPromiseIsBroken(RunResult result) {
        if (!result.problem().isEmpty()) {
            assertThat(result.problem()).contains(" died as planned; ");
        }
    }

    @Test
    void equalSeedsGiveEqualTraces() {
        each(RUNS / 10, seed -> assertThat(traceHash(seed)).isEqualTo(traceHash(seed)));
    }

    private static long traceHash(long seed) {
        TraceHash hash = new TraceHash();
        Draw draw = new Draw(seed);
        FaultPlan plan = FaultPlan.passing(draw.scenario, draw.random, HORIZON_NANOS);
        Simulation.run(draw.scenario, draw.options.withFaults(plan).withTraceSink(hash));
        return hash.value();
    }

    @FunctionalInterface
    private interface Run {
        void of(long seed);
    }

    private static void each(int runs, Run run) {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + runs; seed++) {
            try {
                run.of(seed);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("to repeat: -Drobber.seed=" + seed + "\n" + e, e);
            }
        }
    }

    /** What follows from a seed. */
    private static final class Draw {
        final Scenario scenario;
        final SeededRandom random;
        final SimulationOptions options;
        final String strategy;

        Draw(long seed) {
            this(seed, "");
        }

        /** With this strategy, or one that is drawn where none is given. */
        Draw(long seed, String wantedStrategy) {
            scenario = FAMILY.draw(seed);
            random = new SeededRandom(seed);
            String drawnStrategy = random.nextInt(4) == 0 ? "mob" : "robber";
            strategy = wantedStrategy.isEmpty() ? drawnStrategy : wantedStrategy;
            int pieceBytes = 1 << (12 + random.nextInt(6));
            long dataBytes = random.nextInt(10) == 0 ? 0 : (long) (random.nextDouble() * 200 * pieceBytes);
            SimulationOptions drawn = SimulationOptions.of(Strategies.byName(strategy), seed, dataBytes)
                    .withPieceBytes(pieceBytes)
                    .withRequestWindow(1 + random.nextInt(8));
            if (random.nextInt(4) == 0) {
                drawn = drawn.withCosts(new NodeCosts(
                        random.nextInt(50_000),
                        random.nextDouble() * 10,
                        random.nextDouble() * 10,
                        20_000_000,
                        1 + random.nextInt(4),
                        1 + random.nextInt(2)));
            }
            if (random.nextInt(4) == 0) {
                drawn = drawn.withNetwork(new NetworkOptions(
                        1500,
                        200_000,
                        random.nextInt(100) * 1_000_000L,
                        3,
                        1 << 18,
                        1 << 16,
                        1 << 14,
                        1 << 14,
                        1 << 15,
                        NodeSendLimits.NONE));
            }
            options = drawn;
        }

        RunResult run(FaultPlan plan) {
            return Simulation.run(scenario, options.withFaults(plan).withSilenceNanos(RandomFaults.SILENCE_NANOS));
        }
    }
}

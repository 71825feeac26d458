package org.robber.emulation.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;
import org.robber.core.strategy.Strategies;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioFamily;
import org.robber.emulation.simulator.fault.FaultPlan;
import org.robber.emulation.simulator.fault.RandomFaults;

/**
 * Random plans of what goes wrong, for each receiver-initiated strategy in turn: nodes that die, the root among them, or
 * come back, stalls, connections that break, partitions that heal, slow cards, flipped bytes. Every run must end; all who
 * are left have everything, or all of it that anybody has, and then say so.
 *
 * <p>{@code -Drobber.scale=1000} runs 100,000 plans; {@code -Drobber.seed=S} repeats one.
 */
class FaultPlansTest {
    private static final long FIRST_SEED = SeededRuns.firstSeed();
    private static final int PLANS = SeededRuns.count(100);
    private static final long HORIZON_NANOS = 4_000_000_000L;
    private static final long LIMIT_NANOS = 100_000_000_000_000L;
    private static final List<String> STRATEGIES =
            List.of("robber", "mob", "bittorrent", "robber:published", "mob:published", "bittorrent:rarest,endgame");

    private static final ScenarioFamily FAMILY =
            new ScenarioFamily(4, 6, 0.5e6, 20e6, 50_000_000, 0.01, 1, 0.3, 0.1, 2, 5_000_000_000L);

    /** A plan that hangs ends by the limits of the simulation; the time of all plans has no limit. */
    @Test
    @Timeout(value = 4, unit = TimeUnit.HOURS)
    void everyPlanEndsWellOrNamesWhatIsGone() {
        Map<String, Integer> counts = new TreeMap<>();
        for (long seed = FIRST_SEED; seed < FIRST_SEED + PLANS; seed++) {
            String strategy = STRATEGIES.get((int) Math.floorMod(seed, (long) STRATEGIES.size()));
            String end = survive(strategy, seed);
            counts.merge(strategy + ": " + end, 1, Integer::sum);
        }
        counts.forEach((end, count) -> System.out.println(end + " " + count));
    }

    /** The same for all other calls. */
    @ParameterizedTest
    @EnumSource(value = Collective.class, names = "MULTICAST", mode = EnumSource.Mode.EXCLUDE)
    @Timeout(value = 4, unit = TimeUnit.HOURS)
    void everyPlanOfACollectiveEndsWellOrNamesWhatIsGone(Collective collective) {
        Map<String, Integer> counts = new TreeMap<>();
        for (long seed = FIRST_SEED; seed < FIRST_SEED + PLANS; seed++) {
            String strategy = STRATEGIES.get((int) Math.floorMod(seed, (long) STRATEGIES.size()));
            counts.merge(strategy + ": " + survive(strategy, seed, collective), 1, Integer::sum);
        }
        counts.forEach((end, count) -> System.out.println(collective + ", " + end + " " + count));
    }

    /** Plans that found a bug, each with its strategy. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "robber;2376;MULTICAST",
                "mob:published;100090;MULTICAST",
                "robber:published;307311;MULTICAST",
                "bittorrent:rarest,endgame;721223;MULTICAST",
                "robber;3019068;MULTICAST",
                "bittorrent:rarest,endgame;18653;SCAN",
                "bittorrent:rarest,endgame;18653;EXSCAN",
                "bittorrent;28111328;ALLREDUCE",
                "robber;28203240;SCATTER",
                "robber;84;GATHER",
                "robber;390;GATHER"
            })
    void plansThatFoundABugOnce(String strategy, long seed, Collective collective) {
        assertThat(survive(strategy, seed, collective)).isNotEmpty();
    }

    /** Returns in a word how it ended. */
    private static String survive(String strategy, long seed) {
        return survive(strategy, seed, Collective.MULTICAST);
    }

    private static String survive(String strategy, long seed, Collective collective) {
        try {
            Scenario scenario = FAMILY.draw(seed);
            SeededRandom random = new SeededRandom(seed);
            int pieceBytes = 1 << (12 + random.nextInt(5));
            long dataBytes = (long) (random.nextDouble() * 200 * pieceBytes);
            FaultPlan plan = RandomFaults.anything(scenario, collective, random, HORIZON_NANOS >> random.nextInt(6));
            RunResult result = Simulation.run(
                    scenario,
                    SimulationOptions.of(Strategies.byName(strategy), seed, dataBytes)
                            .withCollective(collective)
                            .withPieceBytes(pieceBytes)
                            .withRequestWindow(1 + random.nextInt(6))
                            .withFaults(plan)
                            .withSilenceNanos(RandomFaults.SILENCE_NANOS)
                            .withLimitNanos(LIMIT_NANOS));
            String problem = result.problem();
            if (problem.isEmpty()) {
                return "all complete";
            }
            if (problem.endsWith("all others have everything")) {
                return "survivors complete";
            }
            assertThat(problem).contains("ended without pieces that cannot come");
            return "last copies gone, and named";
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(collective + ", " + strategy + "; to repeat: -Drobber.seed=" + seed + "\n" + e, e);
        }
    }
}

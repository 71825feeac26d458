package org.robber.bench.death;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.Doubles;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.robber.bench.Median;
import org.robber.bench.Program;
import org.robber.core.random.SeededRandom;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioReader;

/**
 * The cost of the death of one node for the others: the time until the last of them has everything, over the time without a death.
 * Who dies, and when, is drawn from the seed; the root does not. Run it by {@code robber-bench/bin/one-death}; {@code
 * docs/benchmarks.md} has the figures.
 */
public final class OneDeath {
    /** The median of the ratios is to stay below. */
    static final double GOAL = 1.10;

    /** The use of the seed from which who dies is drawn; those of nodes are their ranks. */
    private static final long DEATH_USE = -2;

    private static final int LEAST_NODES = 3;

    private OneDeath() {}

    /** Measures; exit code 0 if the goal is met, 1 if not, 2 if the options are wrong. */
    public static void main(String[] args) {
        System.exit(Program.execute(new OneDeathOptions(), args));
    }

    /** Measures, and prints what it has found; returns the median of the ratios. */
    static double run(OneDeathOptions options, PrintStream results) throws InterruptedException {
        Scenario scenario = ScenarioReader.read(options.scenario()).withNodes(options.nodes());
        checkArgument(
                scenario.nodeCount() >= LEAST_NODES,
                "%s: a root, a node that dies and one that does not are needed",
                scenario.name());
        try (Deaths deaths =
                options.inTestbed() ? new TestbedDeaths(scenario, options) : new SimulatedDeaths(scenario, options)) {
            return run(options, scenario, deaths, results);
        }
    }

    static double run(OneDeathOptions options, Scenario scenario, Deaths deaths, PrintStream results)
            throws InterruptedException {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < options.runs(); i++) {
            double ratio = ratio(deaths, options.firstSeed() + i, scenario, results);
            if (!Double.isNaN(ratio)) {
                ratios.add(ratio);
            }
        }
        if (ratios.isEmpty()) {
            throw new IllegalStateException("nobody died in any run");
        }
        double median = Median.of(Doubles.toArray(ratios));
        results.printf(
                Locale.ROOT,
                "%s, %s, %d bytes to %d nodes: median of %d runs %.3f, worst %.3f; the goal is less than %.2f%n",
                options.strategy(),
                scenario.name(),
                options.dataBytes(),
                scenario.nodeCount(),
                ratios.size(),
                median,
                Collections.max(ratios),
                GOAL);
        return median;
    }

    private static double ratio(Deaths deaths, long seed, Scenario scenario, PrintStream results)
            throws InterruptedException {
        SeededRandom random = SeededRandom.forUse(seed, DEATH_USE);
        int drawn = random.nextInt(scenario.nodeCount() - 1);
        int rank = drawn < deaths.root() ? drawn : drawn + 1;
        double share = random.nextDouble();
        double undisturbed = deaths.undisturbed(seed);
        double disturbed = deaths.withDeath(seed, rank, share, undisturbed);
        if (Double.isNaN(disturbed)) {
            results.printf(
                    Locale.ROOT,
                    "seed %d: %s was through before it could die at %.0f %%; this run does not count%n",
                    seed,
                    scenario.nodeName(scenario.placeOf(rank)),
                    100 * share);
            return disturbed;
        }
        results.printf(
                Locale.ROOT,
                "seed %d: %.3f s undisturbed; %.3f s if %s dies at %.0f %%: %.3f%n",
                seed,
                undisturbed,
                disturbed,
                scenario.nodeName(scenario.placeOf(rank)),
                100 * share,
                disturbed / undisturbed);
        return disturbed / undisturbed;
    }
}

package org.robber.core.rivals.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.robber.core.node.InCoreNetwork;
import org.robber.core.node.InCoreNetwork.Faults;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.RandomFabric;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;
import org.robber.core.strategy.Strategies;
import org.robber.core.topology.Topology;

/** A node dies in the middle of a tree, and everyone below it gets the data from the one above it. */
class TreeDeathTest {
    private static final long FIRST_SEED = SeededRuns.firstSeed();
    private static final int RUNS = SeededRuns.count(20);

    static List<String> trees() {
        return List.of("chain", "binomial", "flat", "multilayer", "multitcp", "max-bottleneck", "fpfr", "balanced");
    }

    @ParameterizedTest
    @MethodSource("trees")
    void allOthersGetEverything(String name) {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            SeededRandom random = new SeededRandom(seed);
            MulticastStrategy strategy = Strategies.byName(name);
            Topology topology = Topology.ofSizes(1 + random.nextInt(6), 1 + random.nextInt(9), 1 + random.nextInt(3));
            int victim = 1 + random.nextInt(topology.size() - 1);
            InCoreNetwork network = new InCoreNetwork(
                            topology,
                            strategy.planOverlay(topology, seed),
                            random.nextInt(200),
                            5,
                            seed,
                            new RandomFabric(topology.size(), seed),
                            Faults.NONE,
                            strategy::createNode)
                    .kill(victim, random.nextInt(100_000_000))
                    .run(1_000_000);
            for (int rank = 0; rank < topology.size(); rank++) {
                if (rank != victim) {
                    assertThat(network.node(rank).possession().isFull())
                            .as("rank %s complete without rank %s, seed %s", rank, victim, seed)
                            .isTrue();
                }
            }
        }
    }
}

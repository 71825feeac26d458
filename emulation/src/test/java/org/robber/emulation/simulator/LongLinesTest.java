package org.robber.emulation.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.robber.emulation.simulator.Drawings.MILLI;
import static org.robber.emulation.simulator.Drawings.cluster;
import static org.robber.emulation.simulator.Drawings.links;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.robber.core.strategy.Strategies;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.Scenario;

/** Lines that hold much: 125 MB/s with a round trip of 100 ms, between two clusters of four. Requests keep them full until little is left. */
class LongLinesTest {
    private static final long BYTES = 100_000_000;
    private static final double[][] RATES = {{0, 125}, {125, 0}};
    private static final Scenario LONG = Drawings.of(links(RATES, 50 * MILLI), cluster("A", 4), cluster("B", 4));

    @ParameterizedTest
    @CsvSource({
        "robber, MULTICAST, 2.5",
        "mob, MULTICAST, 3",
        "robber, ALLGATHER, 2.5",
        "robber, SCATTER, 2.5",
        "robber, ALLTOALL, 1.6"
    })
    void areFullInAllCalls(String strategy, Collective collective, double limitSeconds) {
        RunResult result = Simulation.run(
                LONG,
                SimulationOptions.of(Strategies.byName(strategy), 1, BYTES).withCollective(collective));
        assertThat(result.problem()).isEmpty();
        assertThat(result.nanos() / 1e9).isLessThan(limitSeconds);
    }
}

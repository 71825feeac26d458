package org.robber.emulation.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.robber.core.strategy.Strategies;
import org.robber.core.trace.TraceHash;
import org.robber.emulation.run.RunResult;

class SimulationTest {
    private static final SimulationOptions SIXTY_MEGABYTES =
            SimulationOptions.of(Strategies.byName("robber"), 1, 60_000_000).withPieceBytes(1 << 16);

    @Test
    void bringsEverythingToEveryNodeNearlyAsFastAsTheBound() {
        RunResult result = Simulation.run(Scenarios.testCaseOne(4), SIXTY_MEGABYTES);
        assertThat(result.problem()).isEmpty();
        double megabytesPerSecond = result.dataBytes() * 1e3 / result.nanos();
        assertThat(megabytesPerSecond).isBetween(8.0, 16.0);
        for (int cluster = 1; cluster < 4; cluster++) {
            assertThat(result.wanCopies(cluster)).isEqualTo(1);
        }
    }

    @Test
    void equalSeedsGiveEqualTraces() {
        TraceHash first = new TraceHash();
        TraceHash second = new TraceHash();
        Simulation.run(Scenarios.testCaseOne(3), SIXTY_MEGABYTES.withTraceSink(first));
        Simulation.run(Scenarios.testCaseOne(3), SIXTY_MEGABYTES.withTraceSink(second));
        assertThat(first.value()).isEqualTo(second.value());
    }
}

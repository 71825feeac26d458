package org.robber.emulation.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.robber.emulation.scenario.ScenarioFiles;

/** The values of {@code scenarios/README.md}. */
class PublishedBoundsTest {

    private static final long DATA_BYTES = 600_000_000;

    @ParameterizedTest
    @CsvSource({
        "tc1_fast_links, 37.500, 37.500",
        "tc1_slow_links, 90.909, 90.909",
        "tc1_fast_to_slow, 48.182, 43.636",
        "tc1_slow_to_fast, 55.125, 55.125",
        "tc1_mayhem, 82.488, 74.250",
        "sc05_fig2, 66.667, 66.667",
        "tc2_large_slow_nodes, 46.154, 46.154",
        "tc3_local_k4, 13.393, 13.393",
        "long_1gbit, 4.800, 4.800",
        "long_1gbit_loss_001, 4.80048, 4.80048",
        "long_1gbit_loss_01, 4.80480, 4.80480"
    })
    void givesThePublishedTimes(String name, double adaptSeconds, double storeSeconds) {
        TheoreticalBound bound = TheoreticalBound.of(ScenarioFiles.read(name));
        assertThat(bound.adaptSeconds(DATA_BYTES)).isCloseTo(adaptSeconds, withinPercentage(0.002));
        assertThat(bound.storeSeconds(DATA_BYTES)).isCloseTo(storeSeconds, withinPercentage(0.002));
    }

    @ParameterizedTest
    @CsvSource({
        "tc1_fast_links, 16",
        "tc1_slow_links, 6.6",
        "sc05_fig2, 9",
        "tc2_large_slow_nodes, 13",
        "tc3_local_k4, 44.8"
    })
    void givesThePublishedRates(String name, double mbps) {
        TheoreticalBound bound = TheoreticalBound.of(ScenarioFiles.read(name));
        assertThat(bound.bytesPerSecond(0)).isCloseTo(mbps * 1e6, withinPercentage(1e-6));
        assertThat(bound.isProven(DATA_BYTES)).isTrue();
    }

    @Test
    void nothingTakesNoTime() {
        TheoreticalBound bound = TheoreticalBound.of(ScenarioFiles.read("tc1_mayhem"));
        assertThat(bound.adaptSeconds(0)).isZero();
        assertThat(bound.storeSeconds(0)).isZero();
    }
}

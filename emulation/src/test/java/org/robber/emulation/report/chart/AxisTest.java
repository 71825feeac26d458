package org.robber.emulation.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.robber.core.random.SeededRuns;

class AxisTest {

    @ParameterizedTest
    @CsvSource({
        "10,      6, 0 2 4 6 8 10",
        "9.7,     6, 0 2 4 6 8 10",
        "10.1,    6, 0 5 10 15",
        "0.03,    6, 0.00 0.01 0.02 0.03",
        "1,       6, 0.0 0.2 0.4 0.6 0.8 1.0",
        "1.02,    6, 0.0 0.5 1.0 1.5",
        "37.5,    8, 0 10 20 30 40",
        "1250000, 6, 0 500000 1000000 1500000",
        "0,       6, 0.0 0.2 0.4 0.6 0.8 1.0",
        "NaN,     6, 0.0 0.2 0.4 0.6 0.8 1.0",
        "Infinity, 6, 0.0 0.2 0.4 0.6 0.8 1.0",
    })
    void ticksAreRoundNumbers(double largest, int mostTicks, String labels) {
        Axis axis = Axis.roundedUp(largest, mostTicks);

        assertThat(labels(axis)).isEqualTo(List.of(labels.split(" ")));
    }

    @Test
    void anAxisMayEndBetweenTicks() {
        Axis axis = Axis.upTo(37.5, 8);

        assertThat(axis.end()).isEqualTo(37.5);
        assertThat(labels(axis)).containsExactly("0", "10", "20", "30");
    }

    @Test
    void anyValueFindsItsPlaceAmongFewTicksThatDiffer() {
        long seed = SeededRuns.firstSeed();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 10_000; i++) {
            double value = Math.pow(10, random.nextDouble(-9, 12));
            int most = random.nextInt(2, 12);
            for (Axis axis : List.of(Axis.roundedUp(value, most), Axis.upTo(value, most))) {
                String context = value + " in " + most + " ticks, -Drobber.seed=" + seed;
                assertThat(axis.end()).as(context).isGreaterThanOrEqualTo(value * (1 - 1e-9));
                assertThat(axis.ticks().length()).as(context).isBetween(1, most);
                assertThat(labels(axis)).as(context).doesNotHaveDuplicates();
                double last = axis.ticks().get(axis.ticks().length() - 1);
                assertThat(last).as(context).isLessThanOrEqualTo(axis.end() * (1 + 1e-9));
            }
            assertThat(Axis.roundedUp(value, most).ticks().length()).isGreaterThanOrEqualTo(2);
        }
    }

    private static List<String> labels(Axis axis) {
        return axis.ticks().stream().mapToObj(axis::label).collect(Collectors.toList());
    }
}

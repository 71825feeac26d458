package org.robber.bench.death;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.bench.Program;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioReader;

class OneDeathTest {
    @TempDir
    Path folder;

    /** With as much data as in the paper's experiments; where everything depends on its seed alone, the goal is a test. */
    @Test
    void theOthersLoseLessThanATenth() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        double median =
                OneDeath.run(parse("--runs=1", "--seed=3"), new PrintStream(printed, true, StandardCharsets.UTF_8));

        assertThat(median).as(printed.toString(StandardCharsets.UTF_8)).isLessThan(OneDeath.GOAL);
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("seed 3: ", "600000000 bytes to 16 nodes: median of 1 runs ")
                .doesNotContain("A/0 dies");
    }

    @Test
    void runsInWhichNobodyDiedDoNotCount() throws Exception {
        Scenario scenario = ScenarioReader.read(Path.of("../emulation/scenarios/tc1_fast_links.json"));
        ByteArrayOutputStream printed = new ByteArrayOutputStream();

        double median = OneDeath.run(
                parse("--runs=3"), scenario, new Late(), new PrintStream(printed, true, StandardCharsets.UTF_8));

        assertThat(median).isEqualTo(3);
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .containsPattern(
                        "seed 2: ./[0-9]+ was through before it could die at [0-9]+ %; this run does not count")
                .contains("median of 2 runs 3.000, worst 3.000");
    }

    /** Nobody dies with seed 2. */
    private static final class Late implements Deaths {
        @Override
        public int root() {
            return 0;
        }

        @Override
        public double undisturbed(long seed) {
            return 1;
        }

        @Override
        public double withDeath(long seed, int rank, double share, double undisturbedSeconds) {
            return seed == 2 ? Double.NaN : 3;
        }

        @Override
        public void close() {}
    }

    @Test
    void twoNodesAreTooFew() throws Exception {
        Path scenario = Files.writeString(
                folder.resolve("one.json"),
                "{\"name\":\"one\",\"root\":\"A/0\",\"clusters\":[{\"name\":\"A\",\"nodes\":2}]}");
        assertThatThrownBy(() -> parse("--nodes=2", "--scenario=" + scenario).call())
                .hasMessageContaining("one: a root, a node that dies and one that does not are needed");
    }

    @Test
    void wrongOptionsAreNamed() {
        assertThatThrownBy(() -> parse("--node=5")).hasMessageContaining("--node=5");
        assertThatThrownBy(() -> parse("--runs=0").call()).hasMessageContaining("at least 1");
        assertThatThrownBy(() -> parse("--testbed=yes")).hasMessageContaining("--testbed");
    }

    private static OneDeathOptions parse(String... options) {
        return Program.parse(
                new OneDeathOptions(),
                Stream.concat(Stream.of(".."), Arrays.stream(options)).toArray(String[]::new));
    }
}

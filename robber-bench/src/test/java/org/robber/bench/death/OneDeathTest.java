package org.robber.bench.death;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.robber.bench.Program;

class OneDeathTest {
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

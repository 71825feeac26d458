package org.robber.bench.death;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OneDeathTest {
    private static final Path ROOT = Path.of("..");

    /** With as much data as in the paper's experiments; where everything depends on its seed alone, the goal is a test. */
    @Test
    void theOthersLoseLessThanATenth() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        double median = OneDeath.run(
                OneDeathOptions.parse(ROOT, "--runs=1", "--seed=3"),
                new PrintStream(printed, true, StandardCharsets.UTF_8));

        assertThat(median).as(printed.toString(StandardCharsets.UTF_8)).isLessThan(OneDeath.GOAL);
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("seed 3: ", "600000000 bytes to 16 nodes: median of 1 runs ")
                .doesNotContain("A/0 dies");
    }

    @Test
    void wrongOptionsAreNamed() {
        assertThatThrownBy(() -> OneDeathOptions.parse(ROOT, "--node=5")).hasMessage("no option --node");
        assertThatThrownBy(() -> OneDeathOptions.parse(ROOT, "--runs=0")).hasMessageContaining("from 1 on");
        assertThatThrownBy(() -> OneDeathOptions.parse(ROOT, "--testbed=yes"))
                .hasMessageContaining("neither true nor false");
        assertThatThrownBy(() -> OneDeathOptions.parse(ROOT, "help")).hasMessageContaining("--name=value");
    }
}

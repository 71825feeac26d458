package org.robber.bench.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.robber.bench.Program;
import org.robber.emulation.run.RunResult;

class ManyNodesTest {

    @Test
    void thousandNodesGetEverythingWithEveryStepChecked() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        RunResult result = parse("--clusters=20", "--nodes=50", "--size=8000000", "--piece-size=500000")
                .run(new PrintStream(printed, true, StandardCharsets.UTF_8));
        assertThat(result.problem()).isEmpty();
        assertThat(result.nodes()).hasSize(1000);
        for (int cluster = 1; cluster < 20; cluster++) {
            assertThat(result.wanCopies(cluster)).isEqualTo(1);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("1000 in 20 clusters", "complete")
                .doesNotContain("hash");
    }

    @Test
    void theSameSeedGivesTheSameTrace() {
        String hash = hashOfSeed(1);
        assertThat(hash).matches("[0-9a-f]{16}").isEqualTo(hashOfSeed(1)).isNotEqualTo(hashOfSeed(2));
    }

    @Test
    void theLastPieceCounts() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        var unused = parse("--clusters=2", "--nodes=1", "--size=100", "--piece-size=1000")
                .run(new PrintStream(printed, true, StandardCharsets.UTF_8));
        String alone = printed.toString(StandardCharsets.UTF_8);
        printed.reset();
        unused = parse("--clusters=2", "--nodes=1", "--size=1999", "--piece-size=1000")
                .run(new PrintStream(printed, true, StandardCharsets.UTF_8));
        assertThat(controlBytes(printed.toString(StandardCharsets.UTF_8))).isLessThan(controlBytes(alone));
    }

    private static int controlBytes(String printed) {
        return Integer.parseInt(printed.replaceAll("(?s).*\ncontrol +(\\d+) bytes for a piece.*", "$1"));
    }

    private static String hashOfSeed(int seed) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ManyNodes many =
                parse("--clusters=5", "--nodes=4", "--size=4000000", "--piece-size=50000", "--hash", "--seed=" + seed);
        var unused = many.run(new PrintStream(printed, true, StandardCharsets.UTF_8));
        String text = printed.toString(StandardCharsets.UTF_8);
        return text.substring(text.indexOf("trace hash") + "trace hash".length())
                .strip();
    }

    @Test
    void wrongOptionsAreNamed() {
        assertThatThrownBy(() -> parse("--node=5")).hasMessageContaining("--node=5");
        assertThatThrownBy(() -> parse("--nodes=many"))
                .hasMessageContaining("--nodes")
                .hasMessageContaining("many");
        assertThatThrownBy(() -> parse("--clusters=1").run(System.out)).hasMessageContaining("at least 2");
    }

    private static ManyNodes parse(String... options) {
        return Program.parse(new ManyNodes(), options);
    }
}

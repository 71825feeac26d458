package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The script that compares copies of changed trees with other tools. */
@Execution(ExecutionMode.CONCURRENT)
class IncrementalScriptIT {

    private static final Path SCRIPT =
            Path.of("../robber-bench/bin/incremental").toAbsolutePath();

    @TempDir
    Path folder;

    @Test
    void everyCaseHasALine() throws Exception {
        assumeThat(Path.of("/usr/bin/perl")).isExecutable();
        try (Launched run = Launched.command(
                folder,
                Map.of("ROBBER_CLI", Launched.script().toString()),
                List.of(
                        SCRIPT.toString(),
                        "--files=200",
                        "--size=2000000",
                        "--small=150",
                        "--receivers=2",
                        "--dir=" + folder))) {
            assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
            for (String measured : List.of("fresh", "unchanged", "changed", "small")) {
                assertThat(run.out()).containsPattern("(?m)^" + measured + " +robber +\\d+\\.\\d\\d s");
            }
            assertThat(run.out()).containsPattern("(?m)^small +tar +\\d+\\.\\d\\d s");
        }
        assertThat(Trees.names(folder)).as("nothing is left").noneMatch(name -> name.contains("incremental"));
    }

    @Test
    void itSaysHowItIsUsed() throws Exception {
        try (Launched run = Launched.command(folder, Map.of(), List.of(SCRIPT.toString(), "--help"))) {
            assertThat(run.exitCode()).isZero();
            assertThat(run.out()).contains("--receivers=8", "rsync", "robber-bench/bin/incremental");
        }
        try (Launched run = Launched.command(folder, Map.of(), List.of(SCRIPT.toString(), "--files=many"))) {
            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.err()).contains("--files=many: not a number");
        }
    }
}

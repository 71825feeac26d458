package org.robber.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code robber-bench/bin/figures}, in a project that has nothing else. */
class FiguresIT {
    private static final String BLOCK = "<!-- table one rows=call value=micros -->\n<!-- end -->\n";

    @TempDir
    Path project;

    @BeforeEach
    void makeProject() throws IOException, InterruptedException {
        assumeThat(hasPython()).as("Python is there").isTrue();
        Path program = project.resolve("robber-bench/src/main/python/figures.py");
        Files.createDirectories(program.getParent());
        Files.copy(Path.of("src/main/python/figures.py"), program);
        Files.createDirectories(project.resolve("docs/results"));
        Files.writeString(project.resolve("README.md"), "# Nothing\n");
        Files.writeString(project.resolve("docs/benchmarks.md"), "before\n\n" + BLOCK + "\nafter\n");
        Files.writeString(
                project.resolve("docs/results/one.records.json"), "[{\"call\":\"bcast\",\"micros\":\"2.25\"}]\n");
        Files.writeString(
                project.resolve("docs/results/recordings.json"),
                "{\"one\": {\"minutes\": 1, \"command\": \"cp docs/new {out}\"},"
                        + " \"without\": {\"minutes\": 1, \"command\": \"true\"},"
                        + " \"silent\": {\"minutes\": 1, \"command\": \"true {out}\"}}\n");
    }

    @Test
    void tablesAreWrittenIntoThePage() throws IOException, InterruptedException {
        assertThat(figures(0, "write")).isEmpty();

        assertThat(project.resolve("docs/benchmarks.md"))
                .content()
                .startsWith("before\n\n<!-- table one rows=call value=micros -->\n")
                .contains("| bcast | 2.2 |")
                .endsWith("<!-- end -->\n\nafter\n");
        assertThat(figures(0, "check")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "<!-- table one rows=call value=micros -->, no block with beginning and end: <!-- table one",
        "<!-- end -->, no block with beginning and end: <!-- end -->",
        "<!-- table other rows=call value=micros -->|<!-- end -->, no recording other",
        "<!-- table one rows=call value=micros digit=0 -->|<!-- end -->, table one needs rows and value",
        "<!-- table one rows=call value=seconds -->|<!-- end -->, no result has seconds"
    })
    void wrongBlocksAreNamedAndNothingIsWritten(String block, String problem) throws IOException, InterruptedException {
        String page = block.replace('|', '\n') + "\ntext\n" + BLOCK;
        Files.writeString(project.resolve("docs/benchmarks.md"), page);

        assertThat(figures(1, "write")).contains(problem);

        assertThat(project.resolve("docs/benchmarks.md")).hasContent(page);
    }

    @Test
    void theNewResultTakesThePlaceOfOneOfAnotherForm() throws IOException, InterruptedException {
        Files.writeString(project.resolve("docs/results/one.csv"), "call,micros\nbcast,9\n");
        Files.writeString(project.resolve("docs/new"), "[{\"call\":\"bcast\",\"micros\":\"7\"}]\n");
        commit();

        assertThat(figures(0, "record", "one")).isEmpty();

        figures(0, "write");
        assertThat(project.resolve("docs/benchmarks.md")).content().contains("| bcast | 7.0 |");
    }

    @Test
    void recordingsThatKeepNothingAreNamed() throws IOException, InterruptedException {
        commit();

        assertThat(figures(1, "record", "without")).contains("without has neither {out} nor lines");
        assertThat(figures(1, "record", "silent")).contains("silent has not written out; nothing is kept");
        assertThat(figures(1, "record", "one", "other")).contains("no recording other");
    }

    private void commit() throws IOException, InterruptedException {
        assertThat(exitCode("git", "init", "--quiet")).isZero();
        assertThat(exitCode("git", "add", ".")).isZero();
        assertThat(exitCode("git", "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", "all"))
                .isZero();
    }

    private String figures(int exitCode, String... arguments) throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 2];
        command[0] = "python3";
        command[1] = "robber-bench/src/main/python/figures.py";
        System.arraycopy(arguments, 0, command, 2, arguments.length);
        File said = project.resolve("docs/said").toFile();
        assertThat(exitCode(said, command)).isEqualTo(exitCode);
        return Files.readString(said.toPath(), StandardCharsets.UTF_8);
    }

    private boolean hasPython() throws InterruptedException {
        try {
            return exitCode("python3", "--version") == 0;
        } catch (IOException e) {
            // there is no such program
            return false;
        }
    }

    private int exitCode(String... command) throws IOException, InterruptedException {
        return exitCode(new File("/dev/null"), command);
    }

    private int exitCode(File output, String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start()
                .waitFor();
    }
}

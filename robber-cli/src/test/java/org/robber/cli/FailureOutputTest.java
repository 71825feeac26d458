package org.robber.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.cli.progress.StatusConsole;
import org.robber.cli.report.ReportSchema;

/** Programs get JSON from a command that fails, and one document alone. */
class FailureOutputTest {
    private static final Path SCENARIOS =
            Path.of("").toAbsolutePath().resolveSibling("emulation").resolve("scenarios");

    @TempDir
    Path folder;

    private int exitCode;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "replicate -o json --local=1x1 a",
                "replicate --no-such-option -ojson --local=1x1 a b",
                "probe -o json",
                "probe --local=none --output=JSON",
                "verify --output json --local=1x1 -w node b",
                "join -o=json nowhere b",
                "doctor -o json --rtt=long",
                "emulate -o json --runs=0 file",
                "plan --config=no/such/file -o json --local=1x1 a b"
            })
    void wrongArgumentsAreAFailure(String command) throws IOException {
        String json = execute(Map.of(), List.of(command.split(" ")));
        assertThat(exitCode).isEqualTo(2);
        assertThat(ReportSchema.problems(json, "failure.schema.json")).isEmpty();
        assertThat(json).contains("\"exit_code\" : 2", "\"reason\" : \"usage\"");
    }

    @Test
    void theFormMayComeFromTheEnvironment() throws IOException {
        List<String> wrong = List.of("probe", "--local=none");
        assertThat(ReportSchema.problems(execute(Map.of("ROBBER_OUTPUT", "json"), wrong), "failure.schema.json"))
                .isEmpty();
        assertThat(execute(Map.of(), wrong)).isEmpty();
        assertThat(execute(Map.of("ROBBER_OUTPUT", "json"), List.of("probe", "--local=none", "-o", "text")))
                .isEmpty();
    }

    /** Its data go where the result would. */
    @Test
    void noFailureStandsInAStream() throws IOException {
        assertThat(execute(Map.of(), List.of("replicate", "-o", "json", "--no-such-option", "a", "-")))
                .isEmpty();
        assertThat(exitCode).isEqualTo(2);
    }

    @Test
    void anExperimentThatCannotBeginIsAFailure() throws IOException {
        String json = execute(Map.of(), List.of("emulate", "-o", "json", folder + "/missing.json"));
        assertThat(exitCode).isEqualTo(3);
        assertThat(ReportSchema.problems(json, "failure.schema.json")).isEmpty();
    }

    @Test
    void anExperimentThatEndsAtItsDeadlineHasItsResultAlone() throws IOException {
        String json = execute(
                Map.of(),
                List.of(
                        "emulate",
                        "-o",
                        "json",
                        "--size=1M",
                        "--runs=1000000",
                        "--deadline=1s",
                        "--progress=none",
                        SCENARIOS.resolve("sc05_fig2.json").toString()));
        assertThat(exitCode).isEqualTo(30);
        assertThat(json).contains("\"summaries\"").doesNotContain("\"status\" : \"failed\"");
    }

    @Test
    void aPlanThatCannotBeMadeHasOneReport() throws IOException {
        String json = execute(
                Map.of(), List.of("plan", "-o", "json", "--local=1x2", folder + "/missing", folder + "/copies/"));
        assertThat(exitCode).isEqualTo(3);
        assertThat(ReportSchema.problems(json)).isEmpty();
    }

    @Test
    void nodesThatCannotBeStartedAreReported() throws IOException {
        Path source = Files.writeString(folder.resolve("source"), "data");
        String java = System.setProperty("java.home", folder.resolve("no-java").toString());
        try {
            String json = execute(
                    Map.of(),
                    List.of("replicate", "-o", "json", "--local=1x2", source.toString(), folder + "/copies/"));
            assertThat(exitCode).isEqualTo(1);
            assertThat(ReportSchema.problems(json)).isEmpty();
            assertThat(json).contains("cannot start A-0");
        } finally {
            System.setProperty("java.home", java);
        }
    }

    /** What the command prints. */
    private String execute(Map<String, String> environment, List<String> arguments) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(printed, true, UTF_8));
        try {
            exitCode = Main.execute(
                    environment,
                    folder.toString(),
                    new ArrayList<>(arguments),
                    new StatusConsole(new PrintStream(OutputStream.nullOutputStream(), true, UTF_8)));
        } finally {
            System.setOut(before);
        }
        return printed.toString(UTF_8);
    }
}

package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.cli.progress.StatusConsole;
import org.robber.cli.report.ReportSchema;

/** Names that --report and --metrics may have. */
class ReportOptionTest {

    @TempDir
    Path folder;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "replicate --local=1x1 --report= a b",
                "replicate --local=1x1 --report=/dev/stdout a b",
                "replicate -w node --report=/dev/stderr a b",
                "replicate --local=1x1 --metrics=/dev/stdout a b",
                "plan --local=1x1 --report=page.html a b",
                "verify -w node --report=/dev/stdout b",
                "probe -w node --report=/dev/stdout"
            })
    void namesThatNothingWouldComeOfAreRefused(String command) {
        assertThat(execute(List.of(command.split(" ")))).isEqualTo(2);
        assertThat(said.toString(StandardCharsets.UTF_8)).containsPattern("error: --(report|metrics)");
    }

    @Test
    void aJobThatCannotBeginIsReportedAsFailed() throws IOException {
        Path source = Files.writeString(folder.resolve("source"), "data");
        Path report = Files.writeString(folder.resolve("report.json"), "\"status\" : \"complete\"");
        assertThat(execute(List.of(
                        "replicate", "--local=1x2", "--report=" + report, source.toString(), source + "/below/")))
                .isEqualTo(6);
        assertThat(ReportSchema.problems(Files.readString(report))).isEmpty();
        assertThat(report).content().contains("\"status\" : \"failed\"", "\"reason\" : \"destination\"");
    }

    @Test
    void plansAreReports() throws IOException {
        Path source = Files.writeString(folder.resolve("source"), "data");
        Path report = folder.resolve("report.json");
        assertThat(execute(List.of(
                        "replicate",
                        "-n",
                        "--local=1x1",
                        "--report=" + report,
                        source.toString(),
                        folder + "/copies/")))
                .isZero();
        assertThat(ReportSchema.problems(Files.readString(report), "plan.schema.json"))
                .isEmpty();
    }

    /** As copies that fail do. */
    @Test
    void aPlanThatCannotBeMadeIsReportedAsFailed() throws IOException {
        Path report = folder.resolve("report.json");
        assertThat(execute(
                        List.of("plan", "--local=1x2", "--report=" + report, folder + "/missing", folder + "/copies/")))
                .isEqualTo(3);
        assertThat(ReportSchema.problems(Files.readString(report))).isEmpty();
        assertThat(report).content().contains("\"status\" : \"failed\"", "\"reason\" : \"source\"");
    }

    private int execute(List<String> arguments) {
        return Main.execute(
                Map.of(),
                folder.toString(),
                arguments,
                new StatusConsole(new PrintStream(said, true, StandardCharsets.UTF_8)));
    }
}

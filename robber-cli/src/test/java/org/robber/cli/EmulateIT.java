package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.robber.emulation.report.CsvResults;

/** {@code robber-cli emulate} as a process: what it prints, what it reports, how it ends. */
@Execution(ExecutionMode.CONCURRENT)
class EmulateIT {

    private static final Path SCENARIOS =
            Path.of("").toAbsolutePath().getParent().resolve("emulation/scenarios");

    @TempDir
    Path folder;

    @Test
    void recoveryOfALineAndTheRatesOfJobsThatShareItAreReported() throws Exception {
        try (Launched emulate =
                start("emulate", scenario("long_1gbit_break"), "--size=500MB", "--beside=1", "--report=shared")) {
            assertThat(emulate.exitCode()).as(emulate.err()).isZero();
            assertThat(emulate.out())
                    .containsPattern("\n  jobs beside it, MB/s: \\d+\\.\\d\\d\n")
                    .contains("\n  A-B, good again at 7.0 s, was as busy as before after ");
        }
        String json = Files.readString(folder.resolve("shared/results.json"));
        assertThat(json).contains("\"beside\" : [", "\"recoveries\" : [");
        assertValid(json);
        assertThat(folder.resolve("shared/report.html"))
                .content()
                .contains("A-B, good again at 7.0 s, was as busy as before after ", " (beside: ");
    }

    @Test
    @Tag("smoke")
    void runsOfSeveralStrategiesArePrintedSummedUpAndReported() throws Exception {
        String fast = scenario("tc1_fast_links");
        String mayhem = scenario("tc1_mayhem");
        try (Launched emulate = start(
                "emulate",
                fast,
                mayhem,
                "--strategy=robber,mob",
                "--runs=2",
                "--size=8MB",
                "--nodes=2",
                "--report=new/dir")) {
            assertThat(emulate.exitCode()).as(emulate.err()).isZero();
            assertThat(emulate.out().lines().filter(line -> line.startsWith("tc1_")))
                    .hasSize(2 * 2 * 2 + 2 * 2)
                    .allMatch(line -> line.matches("tc1_\\w+ +(robber|mob) .*\\d.*"));
            assertThat(emulate.out()).contains("SCENARIO", "WAN COPIES", "B=1.0", "PUBLISHED %");
            assertThat(emulate.err()).contains("the report is in new/dir");
        }
        Path report = folder.resolve("new/dir");
        List<String> rows = Files.readAllLines(report.resolve("results.csv"));
        assertThat(rows).hasSize(9);
        assertThat(rows.get(0)).isEqualTo(String.join(",", CsvResults.columns()));
        assertThat(rows.get(8)).startsWith("tc1_mayhem,simulator,mob,2,complete,,4,8,8000000,");
        assertValid(Files.readString(report.resolve("results.json")));
        assertThat(report.resolve("report.html"))
                .content()
                .contains("robber-cli emulate " + fast, "--report=new/dir", "tc1_mayhem, mob", "</html>");
    }

    @Test
    void theSameSeedsGiveTheSameRunsHoweverManyRunAtATime() throws Exception {
        List<String> results = new ArrayList<>();
        for (String jobs : List.of("1", "3")) {
            try (Launched emulate = start(
                    "emulate", scenario("tc1_mayhem"), "--runs=4", "--size=8MB", "--nodes=3", "--jobs=" + jobs, "-q")) {
                assertThat(emulate.exitCode()).as(emulate.err()).isZero();
                assertThat(emulate.err()).isEmpty();
                results.add(emulate.out());
            }
        }
        assertThat(results.get(1)).isEqualTo(results.get(0));
    }

    @Test
    void jsonIsOneDocumentAndOptionsComeFromTheEnvironment() throws Exception {
        try (Launched emulate = Launched.start(
                folder,
                Map.of("ROBBER_LAB_RUNS", "2", "ROBBER_LAB_DATA_SIZE", "2M", "ROBBER_SIZE", "4"),
                "emulate",
                scenario("sc05_fig2"),
                "-o",
                "json")) {
            assertThat(emulate.exitCode()).as(emulate.err()).isZero();
            assertValid(emulate.out());
            assertThat(emulate.out())
                    .contains(
                            "\"command_line\" : \"ROBBER_LAB_RUNS=2 ROBBER_LAB_DATA_SIZE=2M robber-cli emulate ",
                            "\"bytes\" : 2097152,",
                            "\"seed\" : 2,");
        }
    }

    @Test
    void tracesOfTheSameSeedAreTheSame() throws Exception {
        for (String file : List.of("first", "second")) {
            try (Launched emulate =
                    start("emulate", scenario("sc05_fig2"), "--size=1M", "--seed=9", "--trace=" + file, "-q")) {
                assertThat(emulate.exitCode()).as(emulate.err()).isZero();
            }
        }
        assertThat(folder.resolve("first")).hasSameTextualContentAs(folder.resolve("second"));
        assertThat(folder.resolve("first")).content().contains(" completed\n", " piece-stored ");
    }

    @Test
    void whatGoesWrongIsDrawnFromItsOwnSeed() throws Exception {
        List<String> results = new ArrayList<>();
        for (String faults : List.of("--seed=1", "--faults=1", "--faults=1", "--faults=2")) {
            try (Launched emulate = start("emulate", scenario("sc05_fig2"), "--size=20MB", faults, "-q")) {
                assertThat(emulate.exitCode())
                        .as(faults + emulate.err() + emulate.out())
                        .isZero();
                results.add(emulate.out());
            }
        }
        assertThat(results.get(1))
                .isNotEqualTo(results.get(0))
                .isEqualTo(results.get(2))
                .isNotEqualTo(results.get(3));
    }

    @Test
    void interruptionKeepsWhatIsDone() throws Exception {
        try (Launched emulate = start(
                "emulate",
                scenario("sc05_fig2"),
                "--runs=1000000",
                "--size=1M",
                "--report=report",
                "--progress=none")) {
            awaitLines(emulate, "sc05_fig2", 3);
            Launched.signal("INT", emulate.processId());

            assertThat(emulate.exitCode()).as(emulate.err()).isEqualTo(130);
            assertThat(emulate.err())
                    .contains("interrupted: ", " of 1000000 runs are done; the same command continues there");
            assertThat(emulate.out()).contains("PUBLISHED %");
        }
        assertThat(Files.readAllLines(folder.resolve("report/results.csv"))).hasSizeGreaterThanOrEqualTo(4);
        assertThat(folder.resolve("report/report.html")).content().contains("Ended early: ");
        assertThat(Files.readAllLines(folder.resolve("report/journal.jsonl"))).hasSizeGreaterThanOrEqualTo(4);
    }

    @Test
    void theDeadlineEndsItAndKeepsWhatIsDone() throws Exception {
        try (Launched emulate = start(
                "emulate", scenario("sc05_fig2"), "--runs=1000000", "--size=1M", "--deadline=3s", "--report=report")) {
            assertThat(emulate.exitCode()).as(emulate.err()).isEqualTo(30);
            assertThat(emulate.err()).contains("the deadline has passed: ");
        }
        assertThat(folder.resolve("report/results.csv")).exists();
    }

    @Test
    void shortJobsLoadNothingOfExperiments() throws Exception {
        Files.writeString(folder.resolve("file"), "small");
        try (Launched replicate = Launched.start(
                folder,
                Map.of("ROBBER_JAVA_FLAGS", "-Xlog:class+load:file=classes-%p.log"),
                "replicate",
                "--local=1x1",
                "file",
                "copies")) {
            assertThat(replicate.exitCode()).as(replicate.err()).isZero();
        }
        // Of all processes, the one that has read the options.
        String classes = "";
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(folder, "classes-*.log")) {
            for (Path log : logs) {
                String text = Files.readString(log);
                classes = text.contains("org.robber.cli.ReplicateCommand") ? text : classes;
            }
        }
        assertThat(classes)
                .contains("org.robber.cli.ReplicateCommand")
                .doesNotContain(
                        "org.robber.cli.EmulateCommand",
                        "org.robber.cli.ExperimentOptions",
                        "org.robber.cli.emulate.",
                        "org.robber.emulation.");
    }

    private Launched start(String... arguments) throws IOException {
        return Launched.start(folder, Map.of(), arguments);
    }

    /** Waits until so many lines with this beginning stand on standard output, or the process has ended. */
    private static void awaitLines(Launched process, String beginning, int lines) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (process.running()
                && process.out()
                                .lines()
                                .filter(line -> line.startsWith(beginning))
                                .count()
                        < lines) {
            assertThat(System.nanoTime())
                    .as("still no output: %s", process.err())
                    .isLessThan(end);
            Thread.sleep(20);
        }
    }

    private static String scenario(String name) {
        return SCENARIOS.resolve(name + ".json").toString();
    }

    static void assertValid(String json) throws IOException {
        try (InputStream in = CsvResults.class.getResourceAsStream("results.schema.json")) {
            String schema = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                            .getSchema(schema)
                            .validate(json, InputFormat.JSON))
                    .isEmpty();
        }
    }
}

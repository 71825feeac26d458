package org.robber.emulation.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.common.collect.ImmutableMap;
import com.google.common.io.Resources;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.emulation.experiment.Bound;
import org.robber.emulation.experiment.Deadline;
import org.robber.emulation.experiment.Findings;
import org.robber.emulation.experiment.HandMade;
import org.robber.emulation.experiment.MeasuredRun;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.Scenario;

class ResultsTest {

    private final Findings findings = HandMade.example();

    @TempDir
    Path folder;

    @Test
    void csvHasARowForEachRunAndQuotesWhatNeedsIt() {
        String csv = CsvResults.text(findings);

        assertThat(csv.lines().findFirst()).hasValue(String.join(",", CsvResults.columns()));
        assertThat(csv)
                .contains("\n"
                        + "tc1_fast_links,simulator,robber,2,complete,,4,12,600000000,1048576,64.000000,9375000.000000,"
                        + "40.000000,30.000000,0.625000,0.468750,1.010000,A=0.000000 B=1.010000 C=1.010000"
                        + " D=1.010000,720000,0.000109,1100,11,0.000109,,,,true,,\n")
                .contains("\"of our \"\"own\"\", and <odd>\",simulator,robber,1,")
                .contains(",incomplete,\"rank 11 has 3 of 573 pieces, \"\"stuck\"\"\n"
                        + "at 80 s\",4,12,600000000,1048576,,,40.0")
                .endsWith("\n");
    }

    @Test
    void jsonIsAsTheSchemaSays() throws IOException {
        String json = JsonResults.text(findings);
        assertThat(problems(json)).isEmpty();
        assertThat(json).contains("\"wan\" : \"tun\"", "\"timeline\" : {");

        String brief = JsonResults.text(HandMade.inShort(findings));
        assertThat(problems(brief)).isEmpty();
        assertThat(brief).doesNotContain("\"timeline\" : {");
    }

    @Test
    void lateRunsAreNoSuccessesAndProcessorTimeIsReported() throws IOException {
        Findings.Setting setting = findings.setting();
        Findings timed = Findings.of(
                new Findings.Setting(
                        setting.commandLine(),
                        setting.begun(),
                        setting.computer(),
                        setting.version(),
                        setting.scenarios(),
                        setting.strategies(),
                        setting.dataBytes(),
                        new Deadline(1.5, true),
                        setting.plannedRuns(),
                        "netem"),
                findings.runs().stream()
                        .map(run -> HandMade.withCpu(run.run(), 33_000_000_000L))
                        .toList());

        // within 1.5 times 40 s: of robber's 50 s and 64 s the first, of mob's runs none
        assertThat(timed.summaries().get(0).succeeded()).isEqualTo(1);
        assertThat(timed.summaries().get(1).robustness()).isZero();
        assertThat(CsvResults.text(timed))
                .contains(",robber,2,late,,", ",1100,11,0.000109,60.000000,33.000000,5.000000,true,,\n");
        assertThat(CsvSummaries.text(timed).lines())
                .contains(String.join(",", CsvSummaries.columns()))
                .anyMatch(line -> line.startsWith("tc1_fast_links,mob,2,1,0,0.000000,,,,"))
                .anyMatch(line -> line.startsWith("tc1_fast_links,robber,2,2,1,0.500000,50.000000,,12000000.000000,,")
                        && line.endsWith(",5.000000,,0.910000"));
        assertThat(problems(JsonResults.text(timed))).isEmpty();
        assertThat(HtmlReport.text(timed))
                .contains(
                        "runs succeed within 1.5 times the bound; links of the testbed: netem",
                        "64.000 (late)",
                        "1 of 2 late",
                        "CPU s/GB");
    }

    @Test
    void jobsBesideAreReportedWithTheirRates() throws IOException {
        Scenario scenario = HandMade.scenario("tc1_fast_links", 4, 3);
        // the third never had everything
        RunResult run = HandMade.run(scenario, "robber", 1, 50)
                .withBeside(List.of(
                        HandMade.run(scenario, "robber", 2, 40),
                        HandMade.run(scenario, "robber", 3, 60),
                        HandMade.run(scenario, "robber", 4, 60, "stuck")));
        assertThat(run.problem()).isEqualTo("job 3 beside: stuck");
        Findings shared = HandMade.findings(List.of(scenario), List.of("robber"), List.of(run));

        String json = JsonResults.text(shared);
        assertThat(problems(json)).isEmpty();
        assertThat(json.replaceAll("\\s+", " "))
                .contains(
                        "\"beside\" : [ { \"seconds\" : 40.0, \"bytes_per_second\" : 1.5E7 }",
                        "{ \"seconds\" : null, \"bytes_per_second\" : null } ]");
        assertThat(CsvResults.text(shared)).contains(",true,,15000000.000000 10000000.000000 \n");
        assertThat(HtmlReport.text(shared)).contains("incomplete: job 3 beside: stuck");

        RunResult complete = HandMade.run(scenario, "robber", 1, 50)
                .withBeside(List.of(HandMade.run(scenario, "robber", 2, 40), HandMade.run(scenario, "robber", 3, 60)));
        assertThat(HtmlReport.text(HandMade.findings(List.of(scenario), List.of("robber"), List.of(complete))))
                .contains("12.00 (beside: 15.00, 10.00)");
    }

    @Test
    void oneCopyIsIdealOnlyWhereNodesWantEverything() {
        String page = HtmlReport.text(findings);
        assertThat(page).contains("1 is ideal");

        Findings.Setting setting = findings.setting();
        ImmutableMap.Builder<Scenario, Bound> gathers = ImmutableMap.builder();
        setting.scenarios().keySet().forEach(each -> gathers.put(each, new Bound(Collective.GATHER, 40, 30, true, 1)));
        Findings gather = Findings.of(
                new Findings.Setting(
                        setting.commandLine(),
                        setting.begun(),
                        setting.computer(),
                        setting.version(),
                        gathers.buildOrThrow(),
                        setting.strategies(),
                        setting.dataBytes(),
                        setting.deadline(),
                        setting.plannedRuns(),
                        ""),
                findings.runs().stream().map(MeasuredRun::run).toList());
        String other = HtmlReport.text(gather);
        assertThat(other).doesNotContain("1 is ideal");
        assertThat(limits(other))
                .as("links keep their limits, and nodes have none")
                .isPositive()
                .isLessThan(limits(page));
    }

    private static int limits(String page) {
        return page.split("line limit", -1).length - 1;
    }

    @Test
    void boundsThatAreNotProvenAreMarked() throws IOException {
        Scenario scenario = HandMade.scenario("tc1_fast_links", 4, 3);
        Findings.Setting setting = HandMade.findings(
                        List.of(scenario), List.of("robber", "robber:published"), List.of())
                .setting();
        Findings unsure = Findings.of(
                new Findings.Setting(
                        setting.commandLine(),
                        setting.begun(),
                        setting.computer(),
                        setting.version(),
                        ImmutableMap.of(scenario, new Bound(40, 30, false, scenario.nodeCount() - 1)),
                        setting.strategies(),
                        setting.dataBytes(),
                        setting.deadline(),
                        setting.plannedRuns(),
                        ""),
                List.of(HandMade.run(scenario, "robber", 1, 50), HandMade.run(scenario, "robber:published", 1, 50)));

        assertThat(JsonResults.text(unsure)).contains("\"bound_is_proven\" : false");
        assertThat(problems(JsonResults.text(unsure))).isEmpty();
        assertThat(CsvResults.text(unsure)).contains(",false,,\n").doesNotContain(",true,,\n");
        assertThat(HtmlReport.text(unsure))
                .contains("40.00 (not proven)", "no strategy is faster than this bound", "robber:published and mob");
        assertThat(CsvSummaries.text(unsure).lines())
                .as("the published figure stands beside the default and beside the published algorithm")
                .filteredOn(line -> line.endsWith(",0.910000"))
                .hasSize(2);
    }

    @Test
    void unknownBoundsAreNullInJsonAndEmptyInCsv() throws IOException {
        Findings unknown = new Findings(
                findings.setting(),
                findings.runs().stream()
                        .map(run -> new MeasuredRun(run.run(), Bound.UNKNOWN))
                        .collect(com.google.common.collect.ImmutableList.toImmutableList()));

        assertThat(problems(JsonResults.text(unknown))).isEmpty();
        assertThat(JsonResults.text(unknown)).contains("\"share_of_adapt\" : null");
        assertThat(CsvResults.text(unknown)).contains(",50.000000,12000000.000000,,,,,1.010000,");
        assertThat(Pages.texts(Pages.elements(Pages.parse(HtmlReport.text(unknown)), "td")))
                .contains("\u2013");
    }

    @Test
    void theSchemaRefusesWhatItDoesNotKnow() throws IOException {
        String json = JsonResults.text(findings);

        assertThat(problems(json.replace("\"seed\" :", "\"sead\" :"))).isNotEmpty();
        assertThat(problems(json.replaceFirst("\"complete\"", "\"incomplete\"")))
                .isNotEmpty();
    }

    @Test
    void aReportIsThreeFilesBesideWhateverElseIsThere() throws IOException {
        Path target = folder.resolve("new/report");
        Files.createDirectories(target);
        Files.writeString(target.resolve("notes.txt"), "mine");
        Files.writeString(target.resolve("results.csv"), "an older one");

        ReportFolder.prepare(target).write(findings);

        assertThat(target.resolve("notes.txt")).hasContent("mine");
        assertThat(target.resolve("report.html")).hasContent(HtmlReport.text(findings));
        assertThat(target.resolve("results.json")).hasContent(JsonResults.text(findings));
        assertThat(target.resolve("results.csv")).hasContent(CsvResults.text(findings));
        try (var files = Files.list(target)) {
            assertThat(files).hasSize(5);
        }
    }

    @Test
    void aFolderIsMadeWhereThereIsNone() throws IOException {
        ReportFolder.prepare(folder.resolve("a/b"));

        assertThat(folder.resolve("a/b")).isEmptyDirectory();
    }

    @Test
    void placesThatCannotHoldAReportAreRefusedBeforehand() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        Files.createDirectories(folder.resolve("odd/report.html"));

        assertThatThrownBy(() -> ReportFolder.prepare(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is no folder");
        assertThatThrownBy(() -> ReportFolder.prepare(folder.resolve("odd")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("report.html is a folder");
    }

    @Test
    void aFolderThatMayNotBeWrittenToIsRefusedBeforehand() throws IOException {
        Path locked = Files.createDirectory(folder.resolve("locked"));
        assertThat(locked.toFile().setWritable(false)).isTrue();
        try {
            // root may write anywhere
            assumeThat(Files.isWritable(locked)).isFalse();
            assertThatThrownBy(() -> ReportFolder.prepare(locked)).isInstanceOf(IOException.class);
        } finally {
            assertThat(locked.toFile().setWritable(true)).isTrue();
        }
    }

    private static List<Error> problems(String json) throws IOException {
        String schema = Resources.toString(
                Resources.getResource(JsonResults.class, "results.schema.json"), StandardCharsets.UTF_8);
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(schema)
                .validate(json, InputFormat.JSON);
    }
}

package org.robber.emulation.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

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
import org.robber.emulation.experiment.Findings;
import org.robber.emulation.experiment.HandMade;
import org.robber.emulation.experiment.MeasuredRun;

class ResultsTest {

    private final Findings findings = HandMade.example();

    @TempDir
    Path folder;

    @Test
    void csvHasARowForEachRunAndQuotesWhatNeedsIt() {
        String csv = CsvResults.text(findings);

        assertThat(csv.lines().findFirst()).hasValue(String.join(",", CsvResults.columns()));
        assertThat(csv)
                .contains(
                        "\ntc1_fast_links,simulator,robber,2,complete,,4,12,600000000,1048576,64.000000,9375000.000000,"
                                + "40.000000,30.000000,0.625000,0.468750,1.010000,"
                                + "A=0.000000 B=1.010000 C=1.010000 D=1.010000,720000,0.000109,1100,11\n")
                .contains("\"of our \"\"own\"\", and <odd>\",simulator,robber,1,")
                .contains(
                        ",incomplete,\"rank 11 has 3 of 573 pieces, \"\"stuck\"\"\nat 80 s\",4,12,600000000,1048576,,,40.0")
                .endsWith("\n");
    }

    @Test
    void jsonIsAsTheSchemaSays() throws IOException {
        assertThat(problems(JsonResults.text(findings))).isEmpty();
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
            assertThat(files).hasSize(4);
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

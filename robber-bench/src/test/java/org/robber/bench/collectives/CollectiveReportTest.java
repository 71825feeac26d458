package org.robber.bench.collectives;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioReader;

class CollectiveReportTest {
    private static final Path SCENARIO = Path.of("../emulation/scenarios/tc1_fast_links.json");

    @TempDir
    Path folder;

    private CollectiveReport report(String ours, String theirs) throws IOException {
        CollectiveReport report = new CollectiveReport();
        report.add("robber", Files.writeString(folder.resolve("ours"), ours));
        report.add("openmpi", Files.writeString(folder.resolve("theirs"), theirs));
        return report;
    }

    @Test
    void contendersStandSideBySide() throws IOException {
        CollectiveReport report = report(
                "barrier 0 1.0 2.0 3.0\nbcast 1000 5.0 6.0 7.0\n", "barrier 0 1.0 4.0 9.0\nbcast 1000 1.0 3.0 4.0\n");
        assertThat(report.table().lines().map(line -> line.trim().replaceAll(" +", " ")))
                .containsExactly(
                        "call bytes robber us openmpi us / openmpi",
                        "barrier 0 2.0 4.0 0.50",
                        "bcast 1000 6.0 3.0 2.00");
        assertThat(report.json())
                .contains("\"contender\":\"openmpi\",\"call\":\"bcast\",\"bytes\":\"1000\",\"micros\":3.0")
                .doesNotContain("share");
    }

    @Test
    void sharesAreOfTheBoundAndOneTrip() throws IOException {
        Scenario scenario = ScenarioReader.read(SCENARIO).withNodes(4);
        CallBounds bounds = new CallBounds(scenario);
        assertThat(bounds.micros("barrier", 0)).isEqualTo(10_000);
        double bcast = bounds.micros("bcast", 60_000_000);
        assertThat(bcast).isBetween(1e6, 10e6);
        assertThat(bounds.micros("allGather", 60_000_000)).isLessThanOrEqualTo(bcast);
        CollectiveReport report =
                report("bcast 60000000 1 " + 2 * bcast + " 1\n", "bcast 60000000 1 " + 4 * bcast + " 1\n");
        report.bounds(bounds);
        assertThat(report.table()).containsPattern("50\\.0 +25\\.0\n");
        assertThat(report.json()).contains("\"share\":0.5").contains("\"share\":0.25");
    }

    @Test
    void rankZeroIsTheRootOfAllCalls() throws IOException {
        Path file = Path.of("../robber-bench/scenarios/narrow_access.json");
        CallBounds bounds = new CallBounds(ScenarioReader.read(file));
        String other = Files.readString(file).replace("\"root\": \"A/0\"", "\"root\": \"B/0\"");
        CallBounds ofOther =
                new CallBounds(ScenarioReader.read(Files.writeString(folder.resolve("other.json"), other)));
        assertThat(ofOther.micros("bcast", 60_000_000)).isEqualTo(bounds.micros("bcast", 60_000_000));
    }

    @Test
    void guidelinesThatAreBrokenAreNamed() throws IOException {
        String fair = "bcast 8 1 10 1\nscatter 8 1 9.2 1\nallGather 8 1 9.5 1\n";
        String slow = "bcast 8 1 30 1\nscatter 8 1 9 1\nallGather 8 1 9 1\nbcast 16 1 10 1\n";
        CollectiveReport report = report(fair, slow);
        assertThat(report.guidelines())
                .contains("robber breaks 0 of 2 guidelines by more than 10 %")
                .contains("openmpi breaks 2 of 3 guidelines by more than 10 %")
                .containsPattern("bcast <= scatter \\+ allGather +8 +30.0 +18.0 +1.67")
                .containsPattern("bcast <= bcast of more data +8 +30.0 +10.0 +3.00");
    }

    @Test
    void timesAreNamedByTheirContender() throws IOException {
        Path file = Files.writeString(folder.resolve("times"), "scan 8 1.5 2.5 3.5\n");
        assertThat(Timing.read("mpich", file)).isEqualTo(List.of(new Timing("mpich", "scan", 8, 1.5, 2.5, 3.5, 0)));
    }
}

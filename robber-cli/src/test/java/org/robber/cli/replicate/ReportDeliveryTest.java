package org.robber.cli.replicate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.ChannelOptions;
import org.robber.JobOptions;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.node.RecordedOutput;
import org.robber.cli.report.AbsentNode;
import org.robber.cli.report.ReportFile;
import org.robber.cli.report.ReportSchema;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.request.Requests;

/** Reports of jobs that fail before they begin. */
class ReportDeliveryTest {

    @TempDir
    Path folder;

    private final RecordedOutput output = new RecordedOutput();

    @Test
    void aJobWhoseNodesDoNotComeIsReportedAsFailed() throws IOException {
        Path report = Files.writeString(folder.resolve("report.json"), "\"status\" : \"complete\"");
        JobOptions options = JobOptions.of("job", "127.0.0.1", 0, 0, 2).withConnectTimeout(Duration.ofMillis(300));

        int exitCode = new ReplicateProcess(request(report), Requests::noInput, output, false).run(options);

        assertThat(exitCode).isEqualTo(4);
        assertThat(Files.readString(report)).isEqualTo(output.text() + "\n").contains("\"status\" : \"failed\"");
        assertThat(ReportSchema.problems(output.text())).isEmpty();
    }

    /** A signal may end any of the nodes before they have met. */
    @Test
    void theReportOfAnEarlierJobIsGoneBeforeTheNodesMeet() throws IOException {
        Path report = Files.writeString(folder.resolve("report.json"), "\"status\" : \"complete\"");
        RecordedOutput listening = new RecordedOutput() {
            @Override
            public void listening(int port) {
                lines.add(Files.exists(report) ? "the earlier report is there" : "no report");
            }
        };
        JobOptions options = JobOptions.of("job", "127.0.0.1", 0, 0, 2).withConnectTimeout(Duration.ofMillis(300));

        assertThat(new ReplicateProcess(request(report), Requests::noInput, listening, false).run(options))
                .isEqualTo(4);
        assertThat(listening.lines).first().isEqualTo("no report");
    }

    @Test
    void aSourceIsNoReportOfAnEarlierJob() throws IOException {
        Path source = Files.writeString(folder.resolve("source"), "data");
        request(source).removeEarlierReport();
        assertThat(source).exists();
        request(Files.createSymbolicLink(folder.resolve("link"), source)).removeEarlierReport();
        assertThat(source).exists();
    }

    @Test
    void nodesThatCouldNotBeStartedAreNamed() throws IOException {
        Path page = folder.resolve("page.html");
        RobberException failure = new RobberException(Reason.TOO_FEW_NODES, List.of(), "launch", "no node");
        AbsentNode absent = new AbsentNode("node7", "B", "no route to host");

        assertThat(ReportDelivery.unbegun(request(page), output, 2, List.of(absent), failure))
                .isSameAs(failure);
        assertThat(Files.readString(page)).contains("no route to host", "failed: 0 of 1 nodes", "exit code 4");
        assertThat(ReportSchema.problems(output.text())).isEmpty();
    }

    @Test
    void aReportThatCannotBeWrittenIsToldByTheOutputAlone() throws IOException {
        Path missing = folder.resolve("missing/report.json");
        RobberException failure = new RobberException(Reason.DESTINATION, List.of(0), ReportFile.PHASE, "no folder");

        assertThat(ReportDelivery.unbegun(request(missing), output, 2, List.of(), failure))
                .isSameAs(failure);
        assertThat(ReportSchema.problems(output.text())).isEmpty();
        assertThat(output.text()).contains("\"message\" : \"no folder\"");
    }

    private ReplicateRequest request(Path report) {
        return Requests.of(
                        folder.resolve("source").toString(),
                        folder.resolve("copy").toString(),
                        ChannelOptions.defaults())
                .json(report)
                .request();
    }
}

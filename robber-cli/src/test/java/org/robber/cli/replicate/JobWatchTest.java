package org.robber.cli.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.ChannelOptions;
import org.robber.LocalJob;
import org.robber.Robber;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.metrics.MetricsPlace;
import org.robber.cli.node.RecordedOutput;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.request.Requests;

/** Metrics and the page of a job whose nodes are in one process. */
class JobWatchTest {

    private static final int BYTES = 3_000_000;

    @TempDir
    Path folder;

    @Test
    void metricsAndThePageTellOfTheWholeJob() throws Exception {
        Path metrics = folder.resolve("robber.prom");
        Path page = folder.resolve("page.html");
        run(2, 2, metrics.toString(), page);

        List<String> samples = Files.readAllLines(metrics);
        assertThat(samples)
                .anyMatch(line -> line.startsWith("robber_job_exit_code{") && line.endsWith("} 0"))
                .anyMatch(line -> line.startsWith("robber_data_bytes{") && line.endsWith("} " + BYTES));
        assertThat(samples.stream().filter(line -> line.startsWith("robber_node_verified_bytes{")))
                .hasSize(4)
                .allMatch(line -> line.endsWith("} " + BYTES));
        long received = samples.stream()
                .filter(line -> line.startsWith("robber_received_bytes_total{"))
                .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
        assertThat(received).isGreaterThanOrEqualTo(3L * BYTES);
        String text = Files.readString(page);
        assertThat(text)
                .contains("<h1>" + folder.resolve("source") + " to 4 nodes</h1>")
                .contains("complete: 4 of 4 nodes have")
                .contains("A \u2192 B")
                .contains("<svg")
                .doesNotContain("http", "<script");
        DocumentBuilder parser = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        assertThat(parser.parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
                        .getElementsByTagName("path")
                        .getLength())
                .isPositive();
    }

    @Test
    void metricsThatCannotBeWrittenEndTheJobBeforeItBegins() throws Exception {
        Path metrics = folder.resolve("missing/robber.prom");

        assertThatThrownBy(() -> run(1, 2, metrics.toString(), folder.resolve("report.json")))
                .isInstanceOfSatisfying(RobberException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.DESTINATION);
                    assertThat(e.ranks()).containsExactly(0);
                })
                .hasMessageContaining("the metrics cannot be written to " + metrics);
        assertThat(folder.resolve("A-1")).doesNotExist();
    }

    private void run(int clusters, int nodes, String metrics, Path report) throws Exception {
        byte[] data = new byte[BYTES];
        new Random(1).nextBytes(data);
        Path source = Files.write(folder.resolve("source"), data);
        ReplicateRequest request = Requests.of(
                        source.toString(),
                        folder.resolve("{node}").toString(),
                        ChannelOptions.defaults().withPieceBytes(65536))
                .watched(report, new MetricsPlace(metrics))
                .request();
        try (LocalJob job = Robber.local(clusters, nodes)) {
            job.run(world -> assertThat(RecordedJob.replicate(request, world, new RecordedOutput()))
                    .isZero());
        }
    }
}

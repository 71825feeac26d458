package org.robber.cli.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.RobberException;
import org.robber.cli.node.RecordedOutput;
import org.robber.cli.probe.ProbedNetwork.ProbedCluster;
import org.robber.cli.probe.ProbedNetwork.ProbedLink;
import org.robber.cli.report.OutputFormat;
import org.robber.cli.report.ReportSchema;
import org.robber.cli.request.BandwidthFile;
import org.robber.cli.request.ProbeRequest;

class ProbingTest {
    private static final ProbedNetwork NETWORK = new ProbedNetwork(
            "2 subnets",
            List.of(new ProbedCluster("A", 2, 80e6), new ProbedCluster("B", 1, 0)),
            List.of(new ProbedLink("A", "B", 4e6, 0.0204), new ProbedLink("B", "A", 12.5e6, 0.0204)));

    @TempDir
    Path folder;

    private final RecordedOutput output = new RecordedOutput();

    @Test
    void peopleReadIt() {
        assertThat(NETWORK.lines())
                .containsExactly(
                        "clusters: 2, 2 subnets",
                        "cluster A: 2 nodes, 80.0 MB/s from one to another",
                        "cluster B: 1 node",
                        "link A to B: 4.00 MB/s, round trip 20.4 ms",
                        "link B to A: 12.5 MB/s, round trip 20.4 ms");
    }

    @Test
    void strategiesReadIt() {
        BandwidthFile file = new BandwidthFile("probed.json", NETWORK.scenario());
        assertThat(file.map().isUnknown()).isFalse();
        assertThat(file.scenario().phases().get(0).links().values())
                .extracting(link -> link.bytesPerSecond(), link -> link.delayNanos())
                .containsExactly(tuple(4e6, 10_200_000L), tuple(12.5e6, 10_200_000L));
        assertThat(file.scenario().clusters().get(0).nodeUp()).containsExactly(80e6, 80e6);
    }

    @Test
    void namesThatScenariosDoNotAllowAreNamed() {
        assertThatThrownBy(() -> ProbedNetwork.checkNames(List.of("A", "gpu-a")))
                .isInstanceOf(RobberException.class)
                .hasMessageContaining("'gpu-a' cannot stand in a scenario");
    }

    @Test
    void nodesOfOneProcessMeasureTheirConnections() throws Exception {
        Path scenario = folder.resolve("network.json");
        ProbeRequest request = new ProbeRequest(
                Duration.ofMillis(60), scenario, OutputFormat.JSON, folder.resolve("report.json"), null);

        int code = new ProbeProcess(request, output).runLocally(2, 2);

        assertThat(output.errors).isEmpty();
        assertThat(code).isZero();
        String json = output.text();
        assertThat(ReportSchema.problems(json, "probe.schema.json")).isEmpty();
        assertThat(json).contains("\"inside_bytes_per_second\"", "\"from\" : \"A\"", "\"from\" : \"B\"");
        assertThat(Files.readString(folder.resolve("report.json")).strip()).isEqualTo(json);
        assertThat(BandwidthFile.read(scenario).map().isUnknown()).isFalse();
    }

    @Test
    void aFileThatCannotBeWrittenIsFoundBeforeAnythingIsMeasured() throws Exception {
        Path report = folder.resolve("report.json");
        ProbeRequest request = new ProbeRequest(
                Duration.ofMillis(60), folder.resolve("missing/network.json"), OutputFormat.JSON, report, null);
        assertThat(new ProbeProcess(request, output).runLocally(1, 2)).isEqualTo(6);
        assertThat(ReportSchema.problems(output.text(), "failure.schema.json")).isEmpty();
        assertThat(output.text()).contains("\"exit_code\" : 6", "\"reason\" : \"destination\"");
        assertThat(output.errors)
                .singleElement()
                .asString()
                .contains("the scenario of --save cannot be written to ", "missing/network.json")
                .doesNotContain("report");
    }
}

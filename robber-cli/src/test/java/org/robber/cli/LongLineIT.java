package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.robber.core.random.SeededRandom;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioReader;
import org.robber.emulation.testbed.Testbed;
import org.robber.emulation.testbed.TestbedOptions;
import org.robber.emulation.testbed.network.AddressPlan;
import org.robber.emulation.testbed.program.NodeProgram;
import org.robber.emulation.testbed.sandbox.TestbedRequirements;

/** Two nodes whose send buffers hold 256 KiB, over a line that holds 1.2 MB: one connection gets 2.6 of its 12 MB/s. */
@Isolated
class LongLineIT {
    private static final String SCENARIO = """
            {"name": "long", "root": "A/0",
             "clusters": [{"name": "A", "nodes": 1}, {"name": "B", "nodes": 1}],
             "links": {"A-B": {"mbps": 12, "delay_ms": 50}, "B-A": {"mbps": 12, "delay_ms": 50}}}
            """;
    private static final int BUFFER_BYTES = 256 << 10;
    private static final double ONE_CONNECTION = BUFFER_BYTES / 0.1;
    private static final int BYTES = 60_000_000;

    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder;

    @Test
    void severalConnectionsFillALineThatIsTooLongForOne() throws Exception {
        assumeThat(TestbedRequirements.missing())
                .as("needs of a testbed that are missing")
                .isEmpty();
        byte[] bytes = new byte[BYTES];
        SeededRandom random = new SeededRandom(1);
        for (int i = 0; i < BYTES; i += Long.BYTES) {
            bytes[i] = (byte) random.nextLong();
        }
        Path source = Files.write(folder.resolve("data"), bytes);
        Scenario scenario = ScenarioReader.parse("long", SCENARIO);
        List<Launched> nodes = new ArrayList<>();
        try (Testbed testbed = Testbed.open(scenario, TestbedOptions.forData(0, scenario.nodeCount()))) {
            for (int rank = 0; rank < 2; rank++) {
                testbed.shell(List.of("nsenter --net=/run/netns/" + AddressPlan.node(rank)
                        + " sysctl -q -w net.ipv4.tcp_wmem='4096 16384 " + BUFFER_BYTES + "'"));
                List<String> command = List.of(
                        Launched.script().toString(),
                        "replicate",
                        "-v",
                        "--report=" + folder.resolve("report.json"),
                        source.toString(),
                        folder.resolve("copy{rank}") + "/");
                NodeProgram program = new NodeProgram(ImmutableList.copyOf(command), ImmutableMap.of());
                nodes.add(Launched.command(
                        folder,
                        testbed.environment(rank),
                        testbed.command(rank, program).command()));
            }
            for (Launched node : nodes) {
                assertThat(node.exitCode()).as(node.err()).isZero();
            }
            assertThat(nodes.get(1).err()).contains("one connection does not fill the line to rank 0");
            assertThat(Files.mismatch(source, folder.resolve("copy1/data"))).isEqualTo(-1);
            assertThat(BYTES / seconds()).as("bytes per second").isGreaterThan(1.4 * ONE_CONNECTION);
        } finally {
            nodes.forEach(Launched::close);
        }
    }

    private double seconds() throws Exception {
        return Files.readAllLines(folder.resolve("report.json")).stream()
                .filter(line -> line.contains("\"seconds\""))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9.]", "")))
                .max()
                .orElseThrow();
    }
}

package org.robber.cli.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.ChannelOptions.OnLoss;
import org.robber.cli.option.TransferOptions;
import org.robber.core.topology.ClusterBandwidths;
import org.robber.core.topology.Topology;
import picocli.CommandLine;

class BandwidthFileTest {
    private static final String CLUSTERS = """
        {"name": "two", "origin": "reconstruction", "root": "A/0",
         "clusters": [{"name": "A", "nodes": 2}, {"name": "B", "nodes": 2}],
         "links": {"A-B": {"mbps": 10, "delay_ms": 10}%s},
         "phases": []}
        """;

    @TempDir
    private Path folder;

    @Test
    void ratesAreThoseOfTheScenario() throws IOException {
        Path file = write(String.format(CLUSTERS, ", \"B-A\": {\"mbps\": 0, \"delay_ms\": 1}"));
        ClusterBandwidths network = BandwidthFile.read(file).map().of(Topology.ofSizes(3, 3));
        assertThat(network.rate(0, 1)).isEqualTo(10e6);
        assertThat(network.rate(1, 0)).isZero();
    }

    @Test
    void aPairThatIsMissingIsNamed() throws IOException {
        Path file = write(String.format(CLUSTERS, ""));
        assertThatThrownBy(() -> BandwidthFile.read(file).map())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no link B-A: add it to links, with mbps 0 where nothing passes");
    }

    @Test
    void ofManyPairsThatAreMissingTenAreNamed() throws IOException {
        String clusters = IntStream.range(0, 5)
                .mapToObj(number -> String.format("{\"name\": \"c%d\", \"nodes\": 1}", number))
                .collect(Collectors.joining(","));
        Path file = write("{\"name\": \"many\", \"root\": \"c0/0\", \"clusters\": [" + clusters + "]}");
        assertThatThrownBy(() -> BandwidthFile.read(file).map()).hasMessageContaining("c2-c0, c2-c1, ...: add it");
    }

    @Test
    void whatCannotBeReadIsNamed() {
        assertThatThrownBy(() -> BandwidthFile.read(folder.resolve("none.json")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("none.json");
    }

    @Test
    void whatHasNoEndIsRefused() {
        assertThatThrownBy(() -> BandwidthFile.read(Path.of("/dev/zero")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/dev/zero: larger than 16 MiB");
    }

    /** Such as a pipe: what has been read is gone. */
    @Test
    void theFileOfAnOptionIsReadOnce() throws IOException {
        Path file = write(String.format(CLUSTERS, ", \"B-A\": {\"mbps\": 0, \"delay_ms\": 1}"));
        TransferOptions options = new TransferOptions();
        new CommandLine(new Command(options)).parseArgs("--bandwidths=" + file);
        assertThat(options.channel(8 << 20, OnLoss.ABORT).bandwidths().isUnknown())
                .isFalse();
        Files.delete(file);
        assertThat(options.bandwidths()).isNotNull();
    }

    /** A command with these options alone. */
    @CommandLine.Command
    private static final class Command {
        @CommandLine.Mixin
        @SuppressWarnings("UnusedVariable") // read by the parser
        private final TransferOptions options;

        Command(TransferOptions options) {
            this.options = options;
        }
    }

    private Path write(String json) throws IOException {
        return Files.writeString(folder.resolve("links.json"), json);
    }
}

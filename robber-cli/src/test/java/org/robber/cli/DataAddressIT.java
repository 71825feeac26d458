package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.robber.core.random.SeededRuns;

/**
 * Three machines with a network for management and one for data. Firewalls let through the port of rank 0 on the first, and a few ports on
 * the second.
 */
class DataAddressIT {
    private static final int NODES = 3;
    private static final String OPEN = "ip daddr 10.77.1.1 tcp dport 7100 accept";
    private static final String OPEN_FOR_DATA = "ip daddr 10.77.2.0/24 tcp dport 7200-7203 accept";

    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder;

    private Path source;
    private @Nullable Machines machines;

    @BeforeEach
    void makeSource() throws Exception {
        source = Trees.make(folder.resolve("tree"), SeededRuns.firstSeed());
        Files.createDirectory(folder.resolve("dest"));
    }

    @AfterEach
    void removeMachines() throws Exception {
        if (machines != null) {
            machines.close();
        }
    }

    @Test
    void dataGoThroughTheirNetworkAndTheOpenPorts() throws Exception {
        Machines three = machines(OPEN, OPEN_FOR_DATA);
        assertThat(replicate(three, List.of("--data-address=10.77.2.0/24", "--data-ports=7200-7203")))
                .isEqualTo(List.of(0, 0, 0));
        assertCopies();
        long bytes = bytesOf(source);
        assertThat(three.receivedBytes(1, "mgmt")).as("management").isLessThan(bytes / 4);
        assertThat(three.receivedBytes(1, "data")).as("data").isGreaterThan(bytes / 2);
    }

    @Test
    void interfacesHaveNamesAndOneOpenPortIsEnough() throws Exception {
        Machines three = machines(OPEN, OPEN_FOR_DATA);
        assertThat(replicate(three, List.of("--data-address=data", "--data-ports=7202")))
                .isEqualTo(List.of(0, 0, 0));
        assertThat(three.receivedBytes(2, "data")).as("data").isGreaterThan(bytesOf(source) / 2);
    }

    /** Rank 0 sees the nodes in the network for management, where they accept nothing: their other addresses are tried without being named. */
    @Test
    void ofSeveralNetworksTheOneThatIsOpenIsFound() throws Exception {
        Machines three = machines(OPEN, "iifname data accept");
        assertThat(replicate(three, List.of())).isEqualTo(List.of(0, 0, 0));
        assertCopies();
        assertThat(three.receivedBytes(2, "data")).as("data").isGreaterThan(bytesOf(source) / 2);
    }

    @Test
    void severalNetworksAreTriedInTheirOrder() throws Exception {
        Machines three = machines(OPEN, OPEN_FOR_DATA);
        assertThat(replicate(three, List.of("--data-address=203.0.113.0/24,mgmt,data", "--data-ports=7200-7203")))
                .isEqualTo(List.of(0, 0, 0));
        assertCopies();
        assertThat(three.receivedBytes(2, "data")).as("data").isGreaterThan(bytesOf(source) / 2);
    }

    @Test
    void aFirewallIsNamedAsSuch() throws Exception {
        assertThat(replicate(machines(OPEN), List.of("--connect-timeout=5s"))).isEqualTo(List.of(5, 5, 5));
        assertThat(Files.readString(folder.resolve("said0")))
                .contains("has no connection to", "is there a firewall between them?");
    }

    private Machines machines(String... accepted) throws Exception {
        Machines three = new Machines(folder, NODES);
        machines = three;
        three.network("mgmt");
        three.network("data");
        for (int rank = 0; rank < NODES; rank++) {
            three.connect(rank, "mgmt", "10.77.1." + (rank + 1) + "/24");
            three.connect(rank, "data", "10.77.2." + (rank + 1) + "/24");
            three.accept(rank, accepted);
        }
        return three;
    }

    private void assertCopies() throws Exception {
        for (int rank = 0; rank < NODES; rank++) {
            Trees.assertSame(
                    source, folder.resolve("dest").resolve("copy" + rank).resolve("tree"));
        }
    }

    private List<Integer> replicate(Machines on, List<String> options) throws Exception {
        List<Launched> nodes = new ArrayList<>();
        for (int rank = 0; rank < NODES; rank++) {
            List<String> command = new ArrayList<>(List.of("replicate"));
            command.addAll(options);
            command.addAll(List.of(source.toString(), folder.resolve("dest") + "/copy{rank}/"));
            nodes.add(on.start(rank, NODES, rank == 0 ? "A" : "B", "robber://data@10.77.1.1:7100", command));
        }
        List<Integer> codes = new ArrayList<>();
        for (int rank = 0; rank < NODES; rank++) {
            codes.add(nodes.get(rank).exitCode());
            Files.writeString(folder.resolve("said" + rank), nodes.get(rank).err());
        }
        return codes;
    }

    private static long bytesOf(Path tree) throws IOException {
        try (Stream<Path> files = Files.walk(tree)) {
            long bytes = 0;
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                bytes += Files.size(file);
            }
            return bytes;
        }
    }
}

package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.robber.core.random.SeededRuns;

/**
 * Three machines, as namespaces, with a network for management and one for data. Firewalls let through the port of rank 0 on the first, and a few ports on
 * the second.
 */
class DataAddressIT {
    private static final int NODES = 3;
    private static final List<Path> TOOLS = List.of(Path.of("/usr/sbin/nft"), Path.of("/usr/sbin/ip"));

    private final String prefix = "rb" + ProcessHandle.current().pid() % 100_000;

    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder;

    private Path source;

    @BeforeEach
    void makeNetworks() throws Exception {
        assumeThat(TOOLS).as("nftables and iproute2 are installed").allMatch(Files::isExecutable);
        assumeThat(Files.isWritable(Path.of("/proc/sys/net/ipv4/ip_forward")))
                .as("root")
                .isTrue();
        source = Trees.make(folder.resolve("tree"), SeededRuns.firstSeed());
        Files.createDirectory(folder.resolve("dest"));
        run("ip", "netns", "add", prefix + "s");
        for (String network : List.of("mgmt", "data")) {
            inSwitch("ip", "link", "add", "sw-" + network, "type", "bridge");
            inSwitch("ip", "link", "set", "sw-" + network, "up");
        }
        for (int rank = 0; rank < NODES; rank++) {
            run("ip", "netns", "add", prefix + rank);
            inNode(rank, "ip", "link", "set", "lo", "up");
            connect(rank, "mgmt", "10.77.1.");
            connect(rank, "data", "10.77.2.");
            Path rules = Files.writeString(folder.resolve("rules" + rank), """
                    table inet filter {
                      chain input {
                        type filter hook input priority 0; policy drop;
                        iif lo accept
                        ct state established,related accept
                        ip daddr 10.77.1.1 tcp dport 7100 accept
                        ip daddr 10.77.2.0/24 tcp dport 7200-7203 accept
                      }
                    }
                    """);
            inNode(rank, "nft", "-f", rules.toString());
        }
    }

    @AfterEach
    void removeNetworks() throws Exception {
        for (String name : List.of("0", "1", "2", "s")) {
            new ProcessBuilder("ip", "netns", "del", prefix + name).start().waitFor(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void dataGoThroughTheirNetworkAndTheOpenPorts() throws Exception {
        assertThat(replicate(List.of("--data-address=10.77.2.0/24", "--data-ports=7200-7203")))
                .isEqualTo(List.of(0, 0, 0));
        for (int rank = 0; rank < NODES; rank++) {
            Trees.assertSame(
                    source, folder.resolve("dest").resolve("copy" + rank).resolve("tree"));
        }
        long bytes = bytesOf(source);
        assertThat(receivedBytes(1, "mgmt")).as("management").isLessThan(bytes / 4);
        assertThat(receivedBytes(1, "data")).as("data").isGreaterThan(bytes / 2);
    }

    @Test
    void interfacesHaveNamesAndOneOpenPortIsEnough() throws Exception {
        assertThat(replicate(List.of("--data-address=data", "--data-ports=7202")))
                .isEqualTo(List.of(0, 0, 0));
        assertThat(receivedBytes(2, "data")).as("data").isGreaterThan(bytesOf(source) / 2);
    }

    @Test
    void aFirewallIsNamedAsSuch() throws Exception {
        assertThat(replicate(List.of("--connect-timeout=5s"))).isEqualTo(List.of(5, 5, 5));
        assertThat(Files.readString(folder.resolve("said0")))
                .contains("has no connection to", "is there a firewall between them?");
    }

    private List<Integer> replicate(List<String> options) throws Exception {
        List<Launched> nodes = new ArrayList<>();
        try {
            for (int rank = 0; rank < NODES; rank++) {
                List<String> command = new ArrayList<>(List.of(
                        "ip", "netns", "exec", prefix + rank, Launched.script().toString(), "replicate"));
                command.addAll(options);
                command.addAll(List.of(source.toString(), folder.resolve("dest") + "/copy{rank}/"));
                nodes.add(Launched.command(folder, place(rank), command));
            }
            List<Integer> codes = new ArrayList<>();
            for (int rank = 0; rank < NODES; rank++) {
                codes.add(nodes.get(rank).exitCode());
                Files.writeString(folder.resolve("said" + rank), nodes.get(rank).err());
            }
            return codes;
        } finally {
            nodes.forEach(Launched::close);
        }
    }

    private static Map<String, String> place(int rank) {
        return Map.of(
                "ROBBER_RANK",
                Integer.toString(rank),
                "ROBBER_SIZE",
                Integer.toString(NODES),
                "ROBBER_CLUSTER",
                rank == 0 ? "A" : "B",
                "ROBBER_URI",
                "robber://data@10.77.1.1:7100");
    }

    private void connect(int rank, String network, String subnet) throws Exception {
        String end = network + rank;
        inSwitch("ip", "link", "add", end, "type", "veth", "peer", "name", network, "netns", prefix + rank);
        inSwitch("ip", "link", "set", end, "master", "sw-" + network, "up");
        inNode(rank, "ip", "addr", "add", subnet + (rank + 1) + "/24", "dev", network);
        inNode(rank, "ip", "link", "set", network, "up");
    }

    private long receivedBytes(int rank, String network) throws Exception {
        return Long.parseLong(inNode(rank, "cat", "/sys/class/net/" + network + "/statistics/rx_bytes")
                .strip());
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

    private String inNode(int rank, String... command) throws Exception {
        return in(prefix + rank, command);
    }

    private void inSwitch(String... command) throws Exception {
        String unused = in(prefix + "s", command);
    }

    private static String in(String namespace, String... command) throws Exception {
        List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
        all.addAll(List.of(command));
        return run(all.toArray(String[]::new));
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s: %s", List.of(command), said).isZero();
        return said;
    }
}

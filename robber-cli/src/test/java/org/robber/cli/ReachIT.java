package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.cli.report.ReportSchema;
import org.robber.core.random.SeededRuns;

/** Networks in which some nodes cannot connect to others, with real firewalls and routes. Copies are compared byte for byte. */
class ReachIT {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(100);
    private static final String CONTROL_PORT = "tcp dport 7100 accept";
    private static final Pattern RELAY = Pattern.compile("through rank (\\d+)");

    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder;

    private Path source;
    private Path report;
    private @Nullable Machines machines;

    @BeforeEach
    void makeSource() throws Exception {
        source = Trees.make(folder.resolve("tree"), SeededRuns.firstSeed());
        report = folder.resolve("report.json");
        Files.createDirectory(folder.resolve("dest"));
    }

    @AfterEach
    void removeMachines() throws Exception {
        if (machines != null) {
            machines.close();
        }
    }

    /** Nodes of the other cluster may connect to rank 0 for control, and to nothing else here. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aClusterMayAcceptOnOnePortOnly(boolean secured) throws Exception {
        Machines four = oneNetwork();
        String mates = "ip saddr { 10.77.1.1, 10.77.1.2 } accept";
        four.accept(0, mates, CONTROL_PORT);
        four.accept(1, mates);

        copy(four, List.of("A", "A", "B", "B"), secured);
        assertThat(sum("bytes_relayed")).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aClusterMayOnlyDialOut(boolean secured) throws Exception {
        Machines four = oneNetwork();
        for (int rank : List.of(1, 2)) {
            four.accept(rank, "ip saddr { 10.77.1.2, 10.77.1.3 } accept");
        }

        copy(four, List.of("A", "B", "B", "A"), secured);
        assertThat(sum("bytes_relayed")).isZero();
    }

    /** Two networks without a route between them, and the source on a machine with an address in both. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aGatewayCarriesTheBytesBetweenTwoNetworks(boolean secured) throws Exception {
        Machines four = twoNetworks(4, List.of(0), List.of(1, 2), List.of(3));

        List<Launched> nodes = copy(four, List.of("G", "A", "A", "B"), secured);
        assertThat(sum("bytes_relayed")).isPositive();
        assertThat(nodes.get(0).out()).contains("relayed: G-0 passed on ");
    }

    /** No pair of clusters but those with the gateway can connect, and the gateway cannot connect to any. */
    @Test
    void clustersThatOnlyDialOutMeetAtAGateway() throws Exception {
        Machines four = oneNetwork();
        for (int rank : List.of(1, 2, 3)) {
            four.accept(rank);
        }

        copy(four, List.of("G", "A", "B", "C"), false);
        assertThat(sum("bytes_relayed")).isPositive();
    }

    /** Rank 3 can connect to the source for control only. Of two gateways, the one that carries its bytes is killed. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anotherRelayTakesThePlaceOfOneThatIsKilled(boolean secured) throws Exception {
        source = Trees.makeLarge(folder.resolve("large/file"), 24_000_000).getParent();
        Machines four = twoNetworks(4, List.of(0, 1, 2), List.of(), List.of(3));
        four.accept(0, "iifname left accept", CONTROL_PORT);
        four.accept(3, "ip saddr != 10.77.2.1 accept");

        List<Launched> nodes = start(
                four,
                List.of("A", "A", "A", "B"),
                secured,
                List.of("-v", "--relay=1,2", "--bwlimit=1M", "--idle-timeout=10s", "--on-failure=continue"));
        nodes.get(3).awaitSaid("through rank ", LIMIT_NANOS);
        int killed = relays(nodes.get(3)).get(0);
        Launched.signal("KILL", nodes.get(killed).processId());
        for (int rank : List.of(0, 3, 3 - killed)) {
            assertThat(nodes.get(rank).exitCode()).as(nodes.get(rank).err()).isEqualTo(23);
            assertCopy(rank);
        }
        assertThat(relays(nodes.get(3))).contains(3 - killed);
        assertThat(nodes.get(0).out()).contains("failed A-" + killed);
    }

    @Test
    void whereThereIsNoWayTheErrorNamesTheNodes() throws Exception {
        Machines three = twoNetworks(3, List.of(0), List.of(1), List.of(2));

        List<Launched> nodes =
                start(three, List.of("G", "A", "B"), false, List.of("--relay=none", "--connect-timeout=8s"));
        for (Launched node : nodes) {
            assertThat(node.exitCode()).as(node.err()).isEqualTo(5);
        }
        assertThat(nodes.get(0).err()).contains("A-0", "B-0", "is there a firewall between them?");
    }

    @Test
    void anUnknownRelayIsAnErrorOfUsage() throws Exception {
        List<Launched> nodes = start(oneNetwork(), List.of("A", "A", "B", "B"), false, List.of("--relay=A-7"));
        assertThat(nodes.get(0).exitCode()).as(nodes.get(0).err()).isEqualTo(2);
        assertThat(nodes.get(0).err()).contains("the relay 'A-7' is no node of the job");
    }

    /** The joiner can connect to rank 0 for control, and to nothing else. */
    @Test
    void aJoinerThatCanConnectToNobodyIsConnectedTo() throws Exception {
        source = Trees.makeLarge(folder.resolve("large/file"), 12_000_000).getParent();
        Machines four = oneNetwork();
        for (int rank : List.of(0, 1, 2)) {
            four.accept(rank, "ip saddr 10.77.1.1-10.77.1.3 accept", rank == 0 ? CONTROL_PORT : "");
        }

        List<Launched> nodes = start(four, List.of("A", "B", "B"), false, List.of("--progress=json", "--bwlimit=600K"));
        nodes.get(0).awaitSaid("\"type\":\"started\"", LIMIT_NANOS);
        Launched joiner = four.start(
                3,
                Map.of("ROBBER_CLUSTER", "B"),
                List.of("join", "-v", "robber://reach@10.77.1.1:7100", folder.resolve("dest") + "/copy3/"));
        nodes.add(joiner);
        awaitCopies(nodes);
        assertThat(joiner.err()).contains("to connect back");
    }

    @Test
    void nodesMayHaveIpv6Alone() throws Exception {
        Machines three = new Machines(folder, 3);
        machines = three;
        three.network("net");
        for (int rank = 0; rank < 3; rank++) {
            three.connect(rank, "net", "fd77::" + (rank + 1) + "/64");
        }
        List<Launched> nodes = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            nodes.add(three.start(rank, 3, rank == 0 ? "A" : "B", "robber://reach@[fd77::1]:7100", command(rank)));
        }
        awaitCopies(nodes);
    }

    /** The table of hosts of a Debian machine has its own name for 127.0.1.1; the others have two addresses for it, of which one leads nowhere. */
    @Test
    void theNameOfRankZeroMayStandForLoopbackThereAndForTwoAddressesElsewhere() throws Exception {
        Machines three = new Machines(folder, 3);
        machines = three;
        three.network("net");
        three.network("net6");
        for (int rank = 0; rank < 3; rank++) {
            three.connect(rank, "net", "10.77.1." + (rank + 1) + "/24");
            three.connect(rank, "net6", "fd77::" + (rank + 1) + "/64");
            three.hosts(
                    rank,
                    rank == 0
                            ? "127.0.0.1 localhost\n127.0.1.1 head\n"
                            : "127.0.0.1 localhost\nfd77::99 head\n10.77.1.1 head\n");
        }
        List<Launched> nodes = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            nodes.add(three.start(rank, 3, rank == 0 ? "A" : "B", "robber://reach@head:7100", command(rank)));
        }
        awaitCopies(nodes);
    }

    private Machines oneNetwork() throws Exception {
        Machines four = new Machines(folder, 4);
        machines = four;
        four.network("net");
        for (int rank = 0; rank < 4; rank++) {
            four.connect(rank, "net", "10.77.1." + (rank + 1) + "/24");
        }
        return four;
    }

    private Machines twoNetworks(int count, List<Integer> inBoth, List<Integer> onLeft, List<Integer> onRight)
            throws Exception {
        Machines made = new Machines(folder, count);
        machines = made;
        made.network("left");
        made.network("right");
        for (int rank = 0; rank < count; rank++) {
            if (inBoth.contains(rank) || onLeft.contains(rank)) {
                made.connect(rank, "left", "10.77.1." + (rank + 1) + "/24");
            }
            if (inBoth.contains(rank) || onRight.contains(rank)) {
                made.connect(rank, "right", "10.77.2." + (rank + 1) + "/24");
            }
        }
        return made;
    }

    private List<Launched> copy(Machines on, List<String> clusters, boolean secured) throws Exception {
        List<Launched> nodes = start(on, clusters, secured, List.of());
        awaitCopies(nodes);
        return nodes;
    }

    private void awaitCopies(List<Launched> nodes) throws Exception {
        for (int rank = 0; rank < nodes.size(); rank++) {
            assertThat(nodes.get(rank).exitCode()).as(nodes.get(rank).err()).isZero();
            assertCopy(rank);
        }
        assertThat(ReportSchema.problems(Files.readString(report))).isEmpty();
    }

    /** Rank 0 listens everywhere; the others reach it at its address in their own network. */
    private List<Launched> start(Machines on, List<String> clusters, boolean secured, List<String> options)
            throws Exception {
        List<Launched> nodes = new ArrayList<>();
        for (int rank = 0; rank < clusters.size(); rank++) {
            List<String> command = command(rank);
            command.addAll(1, options);
            if (secured) {
                command.add(1, "--secret-file=" + secret());
            }
            String address = rank == 0 ? "0.0.0.0" : addressOfRankZero(on, rank);
            nodes.add(on.start(
                    rank, clusters.size(), clusters.get(rank), "robber://reach@" + address + ":7100", command));
        }
        return nodes;
    }

    private List<String> command(int rank) {
        List<String> command = new ArrayList<>(List.of("replicate"));
        if (rank == 0) {
            command.add("--report=" + report);
        }
        command.addAll(List.of(source.toString(), folder.resolve("dest") + "/copy{rank}/"));
        return command;
    }

    private static String addressOfRankZero(Machines on, int rank) throws Exception {
        return on.in(rank, "ip", "-brief", "addr").contains("10.77.1.") ? "10.77.1.1" : "10.77.2.1";
    }

    private Path secret() throws Exception {
        Path file = folder.resolve("secret");
        if (!Files.exists(file)) {
            Files.writeString(file, "open sesame\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }
        return file;
    }

    private void assertCopy(int rank) throws Exception {
        Path copy = folder.resolve("dest").resolve("copy" + rank).resolve(source.getFileName());
        Trees.assertSame(source, copy);
    }

    /** The relays that a node has used, in the order of their use. */
    private static List<Integer> relays(Launched node) throws Exception {
        List<Integer> ranks = new ArrayList<>();
        Matcher matcher = RELAY.matcher(node.err());
        while (matcher.find()) {
            ranks.add(Integer.parseInt(matcher.group(1)));
        }
        return ranks;
    }

    private long sum(String field) throws Exception {
        Matcher matcher = Pattern.compile("\"" + field + "\" ?: ?(\\d+)").matcher(Files.readString(report));
        long sum = 0;
        while (matcher.find()) {
            sum += Long.parseLong(matcher.group(1));
        }
        return sum;
    }
}

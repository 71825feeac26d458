package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.robber.cli.UnauthenticatedClient.Behaviour;
import org.robber.core.random.SeededRuns;

/** Hundreds of clients without the secret connect to the ports of a real job: it goes on, and logs few lines about them. */
@Execution(ExecutionMode.CONCURRENT)
class UnauthenticatedClientsIT {
    private static final int CLIENTS = 500;
    private static final int NODES = 4;
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final long seed = SeededRuns.firstSeed();
    private final SplittableRandom random = new SplittableRandom(seed);
    private final List<UnauthenticatedClient> clients = new ArrayList<>();

    @TempDir
    Path folder;

    @AfterEach
    void closeClients() throws IOException {
        for (UnauthenticatedClient client : clients) {
            client.close();
        }
    }

    @Test
    void unauthenticatedClientsDoNotKeepNodesFromRankZero() throws Exception {
        Path source = Trees.make(folder.resolve("tree"), seed);
        Path secret = Files.writeString(folder.resolve("secret"), "known to nodes only");
        assertThat(new ProcessBuilder("chmod", "600", secret.toString()).start().waitFor())
                .isZero();
        Map<String, String> environment = new TreeMap<>();
        int port = FreePort.find();
        environment.put("ROBBER_URI", "robber://attacked@127.0.0.1:" + port);
        environment.put("ROBBER_SIZE", Integer.toString(NODES));
        environment.put("ROBBER_SECRET_FILE", secret.toString());
        List<Launched> nodes = new ArrayList<>();
        try {
            for (int rank = 0; rank < NODES; rank++) {
                if (rank == NODES - 1) {
                    // the others wait for this one, which has to get through
                    await(() -> listens(port));
                    connectClients(Set.of(port), nodes.get(0));
                }
                environment.put("ROBBER_RANK", Integer.toString(rank));
                environment.put("ROBBER_CLUSTER", rank % 2 == 0 ? "A" : "B");
                String place = folder.resolve("copy-" + rank).toString();
                nodes.add(Launched.start(folder, environment, "replicate", source + "/", place));
            }
            for (int rank = 0; rank < NODES; rank++) {
                assertThat(nodes.get(rank).exitCode())
                        .as("rank %s, seed %s: %s", rank, seed, nodes.get(rank).err())
                        .isZero();
                Trees.assertSame(source, folder.resolve("copy-" + rank));
            }
            assertLogsLittle(nodes.get(0));
        } finally {
            nodes.forEach(Launched::close);
        }
    }

    @Test
    void unauthenticatedClientsDoNotEndARunningTransfer() throws Exception {
        Path source = Trees.makeLarge(folder.resolve("source/large"), 64L << 20);
        Path dest = folder.resolve("dest");
        try (Launched run =
                Launched.start(folder, Map.of(), "replicate", "--local=2x2", source.toString(), dest.toString())) {
            await(() -> Trees.names(dest).stream().anyMatch(name -> name.contains("/.robber-")));
            ProcessHandle last = run.node(NODES - 1);
            Launched.signal("STOP", last.pid()); // so that it is not over before it has begun
            Set<Integer> ports = new TreeSet<>();
            for (ProcessHandle node : run.nodes()) {
                ports.addAll(portsOf(node));
            }
            assertThat(ports).as("a data port each, and that of rank 0").hasSize(NODES + 1);
            ports.removeAll(portsOf(last));
            connectClients(ports, run);
            Launched.signal("CONT", last.pid());

            assertThat(run.exitCode()).as("seed %s: %s", seed, run.err()).isZero();
            assertLogsLittle(run);
        }
        for (String node : List.of("A-0", "A-1", "B-0", "B-1")) {
            assertThat(Files.mismatch(source, dest.resolve(node).resolve("large")))
                    .isEqualTo(-1);
        }
    }

    /** Returns when those that said something wrong have been sent away. */
    private void connectClients(Set<Integer> ports, Launched run) throws Exception {
        List<Integer> choice = List.copyOf(ports);
        Behaviour[] behaviours = Behaviour.values();
        for (int i = 0; i < CLIENTS; i++) {
            int port = choice.get(random.nextInt(choice.size()));
            try {
                clients.add(new UnauthenticatedClient(port, behaviours[i % behaviours.length], random));
            } catch (IOException e) {
                throw new AssertionError("client " + i + ", seed " + seed + ": " + run.err(), e);
            }
        }
        for (UnauthenticatedClient client : clients) {
            if (client.breaksTheProtocol()) {
                await(client::isDisconnected);
            }
        }
    }

    private static void assertLogsLittle(Launched run) throws IOException {
        List<String> said = run.err().lines().toList();
        assertThat(said.stream().filter(line -> line.contains("closed the connection of /127.0.0.1")))
                .as("named")
                .hasSizeBetween(1, 10 * (NODES + 1));
        assertThat(said).as("said by all").hasSizeLessThan(100);
        assertThat(said).noneMatch(line -> line.contains("error"));
    }

    /** The TCP ports at which a process listens. */
    private static Set<Integer> portsOf(ProcessHandle process) throws IOException {
        Set<String> sockets = new TreeSet<>();
        try (Stream<Path> files = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
            for (Path file : files.toList()) {
                try {
                    sockets.add(Files.readSymbolicLink(file).toString());
                } catch (FileSystemException e) {
                    // closed meanwhile
                }
            }
        }
        Set<Integer> ports = new TreeSet<>();
        for (String table : List.of("tcp", "tcp6")) {
            for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/net/" + table))) {
                String[] fields = line.trim().split(" +", -1);
                if (fields[3].equals("0A") && sockets.contains("socket:[" + fields[9] + "]")) {
                    ports.add(Integer.parseInt(fields[1].substring(fields[1].indexOf(':') + 1), 16));
                }
            }
        }
        return ports;
    }

    private static boolean listens(int port) {
        try (Socket probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return probe.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static void await(Condition condition) throws Exception {
        long end = System.nanoTime() + LIMIT_NANOS;
        while (!condition.holds()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    @FunctionalInterface
    private interface Condition {
        boolean holds() throws Exception;
    }
}

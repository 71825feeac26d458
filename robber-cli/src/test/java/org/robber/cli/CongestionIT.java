package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.robber.core.random.SeededRuns;

/** {@code --congestion}, as {@code ss} sees the connections of nodes and of a node that joins. */
class CongestionIT {
    private static final Path SS = Path.of("/usr/bin/ss");
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** Every Linux has it, and no distribution chooses it. */
    private static final String CHOICE = "--congestion=reno";

    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder;

    @Test
    void connectionsForDataHaveIt() throws Exception {
        assumeThat(SS).as("iproute2 is installed").isExecutable();
        Path source = Trees.make(folder.resolve("tree"), SeededRuns.firstSeed());
        int port = FreePort.find();
        List<Launched> nodes = new ArrayList<>();
        try {
            for (int rank = 0; rank < 2; rank++) {
                nodes.add(Launched.start(
                        folder,
                        place(rank, port),
                        "replicate",
                        CHOICE,
                        "--bwlimit=" + Math.max(1, bytes(source) / 8),
                        "--progress=json",
                        source.toString(),
                        folder.resolve("copy{rank}") + "/"));
            }
            nodes.get(0).awaitSaid("\"type\":\"started\"", LIMIT_NANOS);
            nodes.add(Launched.start(
                    folder, Map.of("ROBBER_CLUSTER", "C"), "join", CHOICE, uri(port), folder.resolve("copy2") + "/"));
            // the connection between the two, and one of the joiner to each of them
            Map<String, String> controls = awaitDataConnections(nodes, port, 6);
            assertThat(controls.values()).as("%s", controls).containsOnly("reno");
            for (Launched node : nodes) {
                assertThat(node.exitCode()).as(node.err()).isZero();
            }
        } finally {
            nodes.forEach(Launched::close);
        }
    }

    /** Waits until there are so many ends of connections for data; the congestion control of each. */
    private static Map<String, String> awaitDataConnections(List<Launched> nodes, int port, int ends) throws Exception {
        long end = System.nanoTime() + LIMIT_NANOS;
        while (true) {
            Map<String, String> controls = dataConnections(nodes, port);
            if (controls.size() >= ends) {
                return controls;
            }
            assertThat(System.nanoTime() < end && nodes.stream().allMatch(Launched::running))
                    .as(
                            "%s ends of connections: %s; rank 0 says %s",
                            ends, controls, nodes.get(0).err())
                    .isTrue();
        }
    }

    private static Map<String, String> dataConnections(List<Launched> nodes, int port) throws Exception {
        Process ss = new ProcessBuilder(SS.toString(), "-HOtnpi", "state", "established").start();
        String said = new String(ss.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(ss.waitFor()).isZero();
        Map<String, String> controls = new TreeMap<>();
        for (String line : said.lines().toList()) {
            boolean ours = nodes.stream().anyMatch(node -> line.contains("pid=" + node.processId() + ","));
            if (ours && !line.contains(":" + port + " ")) {
                String[] words = line.strip().split("\\s+(?:(?:ts|sack|ecn|ecnseen|fastopen)\\s+)*", -1);
                controls.put(words[2] + " " + words[3], words[5]);
            }
        }
        return controls;
    }

    private static long bytes(Path tree) throws Exception {
        try (var files = Files.walk(tree)) {
            long bytes = 0;
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                bytes += Files.size(file);
            }
            return bytes;
        }
    }

    private static String uri(int port) {
        return "robber://congestion@127.0.0.1:" + port;
    }

    private static Map<String, String> place(int rank, int port) {
        return Map.of(
                "ROBBER_RANK",
                Integer.toString(rank),
                "ROBBER_SIZE",
                "2",
                "ROBBER_CLUSTER",
                rank == 0 ? "A" : "B",
                "ROBBER_URI",
                uri(port));
    }
}

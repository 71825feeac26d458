package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.robber.cli.report.ReportSchema;

/**
 * Nodes that are killed, users that lose patience, sources that change: the job ends soon, says why, and shows nothing. A
 * node that is stopped by a signal keeps the transfer from ending before the test has done its part.
 */
@Execution(ExecutionMode.CONCURRENT)
class NodeFailuresIT {

    /** At this rate no node sends it in less than 10 s, so all that is done to a job is done in the middle. */
    private static final int BYTES = 5 << 20;

    private static final int BYTES_PER_SECOND = 1 << 19;
    private static final Duration PROMISE = Duration.ofSeconds(30);

    private static final String MARK = "BAD_DAYS_MARK";

    @TempDir
    Path folder;

    @Test
    void theOthersCompleteWithoutAKilledNodeAndAStoppedOne() throws Exception {
        Path report = folder.resolve("report.json");
        try (Launched run = startLarge("--local=2x2", "--idle-timeout=6s", "--report=" + report)) {
            Launched.signal("STOP", run.node(1).pid());
            Launched.signal("KILL", run.node(2).pid());
            assertThat(run.exitCode()).as(run.err()).isEqualTo(23);
            assertThat(run.err())
                    .contains("robber-cli: error: 2 of 4 nodes", "A-1 (rank 1, host ", "B-0 (rank 2, host ", "signal 9")
                    .contains("it sent nothing for 6 s");
            assertThat(run.out()).contains("failed A-1 (network, during '", "partial: 2 of 4 nodes");
            assertThat(run.survivors()).isEmpty();
        }
        assertThat(copies()).containsExactly("A-0/source", "A-0/source/large", "B-1/source", "B-1/source/large");
        Trees.assertSame(folder.resolve("source"), folder.resolve("dest/B-1/source"));
        assertThat(ReportSchema.problems(Files.readString(report))).isEmpty();
        assertThat(Files.readString(report)).contains("\"status\" : \"partial\"", "\"exit_code\" : 23,");
    }

    @Test
    @Tag("smoke")
    void aKilledNodeEndsTheJobForAllIfThatIsWanted() throws Exception {
        try (Launched run = startLarge("--local=1x3", "--on-failure=abort")) {
            Launched.signal("KILL", run.node(2).pid());
            assertEndsSoon(run, 5);
            assertThat(run.err()).contains("robber-cli: error: ", "A-2 (rank 2)", "signal 9");
            assertNothingShown(run);
        }
    }

    @Test
    void aKilledRootEndsTheJobAndIsNamed() throws Exception {
        try (Launched run = startLarge("--local=2x2")) {
            Launched.signal("KILL", run.node(0).pid());
            assertEndsSoon(run, 5);
            assertThat(run.err()).contains("robber-cli: error: ", "A-0 (rank 0)", "signal 9");
            assertNothingShown(run);
        }
    }

    /** Each node needs a port of its own on this machine. Rank 0 may be the one that finds none. */
    @Test
    void aNodeThatFindsNoPortSaysSoAtOnce() throws Exception {
        Path large = Trees.makeLarge(folder.resolve("source/large"), 1 << 20);
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        try (Launched run = Launched.start(
                folder,
                Map.of(),
                "replicate",
                "--local=1x2",
                "--data-ports=" + port,
                large.toString(),
                folder.resolve("dest").toString())) {
            assertThat(run.exitCode()).as(run.err()).isIn(5, 23);
            assertThat(run.seconds()).isLessThan((int) PROMISE.toSeconds());
            assertThat(run.err()).contains("cannot listen for its peers", "no other port of " + port);
        }
    }

    @Test
    @Tag("smoke")
    void anInterruptStopsAllNodes() throws Exception {
        try (Launched run = startLarge("--local=2x2")) {
            Launched.signal("INT", run.processId());
            assertEndsSoon(run, 130);
            assertNothingShown(run);
        }
    }

    @Test
    void aTerminateStopsAllNodesEvenStoppedOnes() throws Exception {
        try (Launched run = startLarge("--local=1x3")) {
            Launched.signal("STOP", run.node(1).pid());
            Launched.signal("TERM", run.processId());
            assertEndsSoon(run, 143);
            assertNothingShown(run);
        }
    }

    /** Found by SoakIT, seed 42690799078957: a node that was being started then was left behind. */
    @Test
    void aTerminateWhileNodesAreBeingStartedLeavesNone() throws Exception {
        Path large = Trees.makeLarge(folder.resolve("source/large"), 1 << 20);
        for (int node = 0; node < 4; node++) {
            String mark = UUID.randomUUID().toString();
            try (Launched run = Launched.start(
                    folder,
                    Map.of(MARK, mark),
                    "replicate",
                    "--local=1x8",
                    large.toString(),
                    folder.resolve("dest").toString())) {
                int rank = node;
                await("node " + node + " to start", () -> run.findNode(rank).isPresent() || !run.running());
                Launched.signal("TERM", run.processId());
                assertEndsSoon(run, 143);
                assertThat(Launched.withVariable(MARK, mark)).isEmpty();
            }
        }
    }

    @Test
    void nodesDoNotOutliveTheirLauncher() throws Exception {
        try (Launched run = startLarge("--local=2x2")) {
            Launched.signal("KILL", run.processId());
            assertThat(run.exitCode()).isEqualTo(137);
            await("nodes to end", () -> run.survivors().isEmpty());
            assertThat(copies()).isEmpty();
        }
    }

    /** Whether the others are done by then is up to the machine: what they show, they have. */
    @Test
    void theDeadlineNamesIncompleteNodesAndCompleteOnesKeepTheirCopies() throws Exception {
        try (Launched run = startLarge("--local=1x3", "--deadline=10s")) {
            Launched.signal("STOP", run.node(2).pid());
            assertThat(run.exitCode()).as(run.err()).isEqualTo(30);
            assertThat(run.err()).contains("robber-cli: error: ", "deadline", "A-2");
            assertThat(run.survivors()).isEmpty();
            assertThat(copies()).noneMatch(name -> name.startsWith("A-2/"));
            for (String node : List.of("A-0", "A-1")) {
                if (copies().stream().anyMatch(name -> name.startsWith(node + "/"))) {
                    Trees.assertSame(folder.resolve("source"), folder.resolve("dest/" + node + "/source"));
                }
            }
        }
    }

    private Launched startLarge(String... options) throws Exception {
        Path source = folder.resolve("source");
        Trees.makeLarge(source.resolve("large"), BYTES);
        List<String> arguments = new ArrayList<>(List.of("replicate", "--bwlimit=" + BYTES_PER_SECOND));
        arguments.addAll(List.of(options));
        arguments.add(source.toString());
        arguments.add(folder.resolve("dest").toString());
        Launched run = Launched.start(folder, Map.of(), arguments.toArray(String[]::new));
        await("a transfer", () -> !run.running() || halfWritten().stream().anyMatch(name -> name.endsWith("/large")));
        assertThat(run.running()).as("standard error:\n%s", run.err()).isTrue();
        run.nodes();
        return run;
    }

    private static void assertEndsSoon(Launched run, int exitCode) throws Exception {
        long start = System.nanoTime();
        assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PROMISE);
    }

    private void assertNothingShown(Launched run) throws IOException {
        assertThat(run.survivors()).isEmpty();
        assertThat(copies()).isEmpty();
    }

    /** What is shown in the nodes' folders; half-written copies stay for the next run. */
    private List<String> copies() throws IOException {
        return Trees.names(folder.resolve("dest")).stream()
                .filter(name -> name.contains("/") && !name.contains("/.robber-"))
                .toList();
    }

    private List<String> halfWritten() throws IOException {
        return Trees.names(folder.resolve("dest")).stream()
                .filter(name -> name.contains("/.robber-"))
                .toList();
    }

    private static void await(String what, Condition condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.holds()) {
            assertThat(System.nanoTime()).as("waiting for %s", what).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    @FunctionalInterface
    private interface Condition {
        boolean holds() throws Exception;
    }
}

package org.robber.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.JoinedNode;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.TransferStats;
import org.robber.cli.FakeWorld;
import org.robber.cli.report.JobReport.Link;
import org.robber.cli.report.JobReport.NodeStatus;
import org.robber.cli.report.JobReport.Skipped;

class ReportTest {

    private static final long SIZE = 1000;

    private static final NodeFailure LOST = new NodeFailure(Reason.NETWORK, "transfer", "node B-0 was lost");

    private final ReportBuilder builder = new ReportBuilder(FakeWorld.of(2, 2), List.of(0), "robber");

    @Test
    void completeJobsHaveExitCodeZeroAndCopiesPerCluster() throws IOException {
        builder.source(SIZE, 3, List.of());
        builder.seconds(2);
        JobReport report = builder.finished(results(null));

        assertThat(report.status()).isEqualTo("complete");
        assertThat(report.exitCode()).isZero();
        assertThat(report.error()).isNull();
        assertThat(report.bytesPerSecond()).isEqualTo(500);
        assertThat(report.clusters()).extracting(JobReport.Cluster::wanCopies).containsExactly(0.0, 1.02);
        assertThat(report.links()).containsExactly(new Link("A", "B", 1020), new Link("B", "A", 0));
        assertThat(report.nodes()).extracting(JobReport.Node::slowest).containsExactly(false, false, true, false);
        assertThat(report.nodes().get(2).bytesReceivedLocal()).isEqualTo(480);
        assertThat(report.nodes().get(2).bytesReceivedWan()).isEqualTo(520);
        assertThat(report.nodes().get(0).bytesSentWan()).isEqualTo(1020);
        assertThat(ReportSchema.problems(JobReportJson.text(report))).isEmpty();
    }

    @Test
    void nodesThatJoinedAreListedAndChangeNothing() throws IOException {
        builder.source(SIZE, 3, List.of());
        TransferStats fromMates = new TransferStats(SIZE, 1, List.of(0L, SIZE), List.of(0L, 0L), 9, 3, 0, 0, 0, 0);
        TransferStats fromOutside = new TransferStats(SIZE, 1, List.of(0L, SIZE, 0L), List.of(), 9, 3, 0, 0, 0, 0);
        RobberException gone = new RobberException(Reason.NETWORK, List.of(6), "join", "it is gone");
        builder.joined(List.of(
                new JoinedNode(4, "B-2", "h", "B", SIZE, new NodeResult(1, fromMates, SIZE, null).toBytes(), null),
                new JoinedNode(5, "C-0", "h", "C", SIZE, new NodeResult(1, fromOutside, SIZE, null).toBytes(), null),
                new JoinedNode(6, "C-1", "h", "C", 400, null, gone),
                new JoinedNode(7, "C-2", "h", "C", 400, new byte[1], null)));
        JobReport report = builder.finished(results(null));

        assertThat(report.exitCode()).isZero();
        assertThat(report.status()).isEqualTo("complete");
        assertThat(report.nodes())
                .extracting(JobReport.Node::joined)
                .containsExactly(false, false, false, false, true, true, true, true);
        assertThat(report.nodes().get(4).bytesReceivedLocal()).isEqualTo(SIZE);
        assertThat(report.nodes().get(4).bytesReceivedWan()).isZero();
        assertThat(report.nodes().get(5).bytesReceivedWan()).isEqualTo(SIZE);
        assertThat(report.nodes().get(6).status()).isEqualTo(NodeStatus.FAILED);
        assertThat(report.nodes().get(6).result().verifiedBytes()).isEqualTo(400);
        assertThat(report.nodes().get(7).failure().reason()).isEqualTo(Reason.INTERNAL);
        assertThat(report.clusters()).extracting(JobReport.Cluster::wanCopies).containsExactly(0.0, 1.02, 1.0);
        assertThat(report.links()).contains(new Link("A", "B", 1020), new Link("B", "C", SIZE));
        assertThat(ReportTable.text(report))
                .contains("complete, joined", "joined: 2 of 4 nodes that joined", "complete: 4 of 4 nodes have");
        assertThat(JobPage.text(report, "a job", new TransferHistory(List.of(), 0, List.of()), List.of()))
                .contains("complete: 4 of 4 nodes have");
        assertThat(ReportSchema.problems(JobReportJson.text(report))).isEmpty();
    }

    @Test
    void nodesThatCouldNotFinishAreListed() throws IOException {
        builder.source(SIZE, 3, List.of());
        JobReport report = builder.finished(results("permission denied"));

        assertThat(report.status()).isEqualTo("partial");
        assertThat(report.exitCode()).isEqualTo(23);
        assertThat(report.error().ranks()).containsExactly(3);
        assertThat(report.error().message())
                .contains("B-1 (rank 3, host host3); the first, during 'commit': permission denied", "1 of 4");
        assertThat(report.nodes().get(3).status()).isEqualTo(NodeStatus.FAILED);
        assertThat(ReportSchema.problems(JobReportJson.text(report))).isEmpty();
    }

    @Test
    void nodesThatCouldNotBeStartedAreListedBehindTheOthers() throws IOException {
        builder.source(SIZE, 3, List.of());
        builder.absent(
                List.of(new AbsentNode("node7", "B", "no route to host"), new AbsentNode("node8", "", "no java")));
        JobReport report = builder.finished(results("permission denied"));

        assertThat(report.status()).isEqualTo("partial");
        assertThat(report.exitCode()).isEqualTo(23);
        assertThat(report.error().message())
                .isEqualTo("3 of 6 nodes are not known to be complete: B-1 (rank 3, host host3), node7 (not started),"
                        + " node8 (not started); the first, during 'commit': permission denied");
        assertThat(report.nodes()).extracting(JobReport.Node::rank).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(report.nodes().get(4).failure().message()).isEqualTo("no route to host");
        assertThat(ReportTable.text(report)).contains("failed node7 (too_few_nodes, during 'launch'", "3 of 6 nodes");
        assertThat(ReportSchema.problems(JobReportJson.text(report))).isEmpty();

        assertThat(builder.finished(results(null)).exitCode()).isEqualTo(23);
        assertThat(builder.finished(results(null)).error().phase()).isEqualTo("launch");
    }

    @Test
    void skippedFilesAreListedAndMakeTheJobPartial() throws IOException {
        builder.source(SIZE, 3, List.of(new Skipped("tree/fifo", "a fifo"), new Skipped("tree/sock", "a socket")));
        JobReport report = builder.finished(results(null));

        assertThat(report.status()).isEqualTo("partial");
        assertThat(report.exitCode()).isEqualTo(23);
        assertThat(report.error().message()).contains("tree/fifo (a fifo) and others");
        assertThat(ReportTable.text(report)).contains("skipped: tree/fifo (a fifo)\nskipped: tree/sock (a socket)\n");
        assertThat(ReportSchema.problems(JobReportJson.text(report))).isEmpty();
    }

    @Test
    void failuresNameNodesAndReason() throws IOException {
        builder.source(SIZE, 3, List.of());
        JobReport report =
                failed(new RobberException(Reason.NETWORK, List.of(2), "multicast 1", "node B-0 has gone"), Map.of());

        assertThat(report.status()).isEqualTo("failed");
        assertThat(report.exitCode()).isEqualTo(5);
        assertThat(report.nodes())
                .extracting(JobReport.Node::status)
                .containsExactly(NodeStatus.STOPPED, NodeStatus.STOPPED, NodeStatus.FAILED, NodeStatus.STOPPED);
        assertThat(JobReportJson.text(report)).contains("\"reason\" : \"network\"");
        assertThat(ReportSchema.problems(JobReportJson.text(report))).isEmpty();
    }

    @Test
    void nodesThatWereLostInTheCommitAreNotCalledComplete() throws IOException {
        builder.source(SIZE, 3, List.of());
        List<NodeResult> results = new ArrayList<>(results(null));
        results.set(2, NodeResult.lost(100, LOST.inDoubt()));
        JobReport report = builder.finished(results);

        assertThat(report.status()).isEqualTo("partial");
        assertThat(report.exitCode()).isEqualTo(23);
        assertThat(report.error().ranks()).containsExactly(2);
        assertThat(report.error().message())
                .isEqualTo("1 of 4 nodes is not known to be complete: B-0 (rank 2, host host2); the first, during"
                        + " 'transfer': node B-0 was lost; whether its copy is in place is not known");
        assertThat(report.nodes())
                .extracting(JobReport.Node::status)
                .containsExactly(NodeStatus.COMPLETE, NodeStatus.COMPLETE, NodeStatus.FAILED, NodeStatus.COMPLETE);
        assertThat(ReportSchema.problems(JobReportJson.text(report))).isEmpty();
    }

    @Test
    void nodesThatWereLostBeforeTheJobFailedKeepTheirOwnReasons() throws IOException {
        builder.source(SIZE, 3, List.of());
        NodeFailure full = new NodeFailure(Reason.DESTINATION, "prepare", "no space left");
        JobReport report = failed(
                new RobberException(Reason.NETWORK, List.of(1, 2), "transfer", "too few"),
                Map.of(1, NodeResult.lost(0, full), 2, NodeResult.lost(700, LOST)));

        assertThat(report.nodes())
                .extracting(JobReport.Node::status)
                .containsExactly(NodeStatus.STOPPED, NodeStatus.FAILED, NodeStatus.FAILED, NodeStatus.STOPPED);
        assertThat(report.nodes()).extracting(JobReport.Node::failure).containsExactly(null, full, LOST, null);
        assertThat(report.nodes())
                .extracting(node -> node.result().verifiedBytes())
                .containsExactly(10L, 0L, 700L, 10L);
        assertThat(JobReportJson.text(report)).contains("\"reason\" : \"destination\"", "\"phase\" : \"prepare\"");
        assertThat(ReportTable.text(report))
                .contains("failed A-1 (destination, during 'prepare', with 0 B of 1.0 KiB): no space left\n");
        assertThat(ReportSchema.problems(JobReportJson.text(report))).isEmpty();
    }

    @Test
    void fewerThanNeededAreNoPartialSuccess() {
        builder.source(SIZE, 3, List.of());
        builder.fewest(4);
        assertThat(builder.finished(results("permission denied")).exitCode()).isEqualTo(5);
        builder.fewest(3);
        assertThat(builder.finished(results("permission denied")).exitCode()).isEqualTo(23);
    }

    @Test
    void whatWasNotSentMakesNothingFaster() {
        builder.source(2 * SIZE, 3, List.of());
        builder.unchanged(SIZE);
        builder.seconds(2);
        JobReport report = builder.finished(results(null));
        assertThat(report.bytesPerSecond()).isEqualTo(500);
        assertThat(report.clusters()).extracting(JobReport.Cluster::wanCopies).containsExactly(0.0, 1.02);
    }

    @Test
    void aJobThatMakesNoCopyFails() throws IOException {
        builder.source(SIZE, 3, List.of());
        NodeFailure full = new NodeFailure(Reason.DESTINATION, "commit", "no space left");
        List<NodeResult> results = new ArrayList<>(results(null));
        results.replaceAll(unused -> NodeResult.lost(0, full));
        results.set(0, results(null).get(0));
        JobReport common = builder.finished(results);
        assertThat(common.exitCode()).as("the reason of all").isEqualTo(6);
        assertThat(common.status()).isEqualTo("failed");
        assertThat(ReportSchema.problems(JobReportJson.text(common))).isEmpty();

        results.set(2, NodeResult.lost(0, LOST));
        assertThat(builder.finished(results).exitCode()).isEqualTo(5);
        results.set(2, NodeResult.lost(0, LOST.inDoubt()));
        assertThat(builder.finished(results).exitCode())
                .as("a copy may be in place")
                .isEqualTo(23);
        results.set(2, NodeResult.lost(0, LOST));
        builder.fewest(1);
        JobReport asked = builder.finished(results);
        assertThat(asked.exitCode()).as("--min-success=1").isEqualTo(23);
        assertThat(asked.status()).isEqualTo("partial");
    }

    @Test
    void aRootWithoutOtherCopiesIsNoCopy() {
        List<NodeResult> results = new ArrayList<>(results(null));
        results.replaceAll(unused -> NodeResult.lost(0, LOST));
        results.set(1, results(null).get(1));
        ReportBuilder ofRankOne = new ReportBuilder(FakeWorld.of(2, 2), List.of(1), "robber");
        assertThat(ofRankOne.finished(results).exitCode()).isEqualTo(5);
        assertThat(ofRankOne.finished(results).status()).isEqualTo("failed");

        ReportBuilder ofParts = new ReportBuilder(FakeWorld.of(2, 2), List.of(), "robber");
        assertThat(ofParts.finished(results).exitCode()).isEqualTo(23);
        assertThat(ofParts.finished(results).status()).isEqualTo("partial");
    }

    @Test
    void whatEndsTheJobAfterRankZeroHasCommittedDoesNotTakeThatBack() throws IOException {
        builder.source(SIZE, 3, List.of());
        builder.committed(results(null).get(0));
        JobReport report = failed(new RobberException(Reason.DEADLINE, List.of(2), "commit", "too late"), Map.of());

        assertThat(report.status()).isEqualTo("partial");
        assertThat(report.exitCode()).isEqualTo(30);
        assertThat(report.nodes())
                .extracting(JobReport.Node::status)
                .containsExactly(NodeStatus.COMPLETE, NodeStatus.STOPPED, NodeStatus.FAILED, NodeStatus.STOPPED);
        assertThat(report.nodes())
                .extracting(
                        node -> node.failure() == null ? null : node.failure().message())
                .containsExactly(
                        null,
                        "the job ended; whether its copy is in place is not known",
                        "too late; whether its copy is in place is not known",
                        "the job ended; whether its copy is in place is not known");
        assertThat(ReportSchema.problems(JobReportJson.text(report))).isEmpty();
    }

    @Test
    void everyReasonIsInTheSchema() throws IOException {
        for (Reason reason : Reason.values()) {
            JobReport report = failed(new RobberException(reason, List.of(), "scan", "it failed"), Map.of());
            assertThat(ReportSchema.problems(JobReportJson.text(report)))
                    .as("%s", reason)
                    .isEmpty();
        }
    }

    @Test
    void theSchemaRefusesWhatIsNoReport() throws IOException {
        JobReport report = builder.finished(results(null));
        String text = JobReportJson.text(report);

        assertThat(ReportSchema.problems("{}")).isNotEmpty();
        assertThat(ReportSchema.problems(text.replace("\"schema\" : 1", "\"schema\" : 2")))
                .isNotEmpty();
        assertThat(ReportSchema.problems(text.replace("\"exit_code\" : 0", "\"exit_code\" : 23")))
                .isNotEmpty();
        assertThat(ReportSchema.problems(text.replace("\"slowest\"", "\"fastest\"")))
                .isNotEmpty();
    }

    @Test
    void emptyDataHasNoCopies() throws IOException {
        builder.source(0, 1, List.of());
        TransferStats nothing = new TransferStats(0, 0, List.of(0L, 0L), List.of(0L, 0L), 0, 0, 0, 0, 0, 0);
        NodeResult result = new NodeResult(0, nothing, 0, null);
        JobReport report = builder.finished(List.of(result, result, result, result));

        assertThat(report.bytesPerSecond()).isZero();
        assertThat(report.clusters()).extracting(JobReport.Cluster::wanCopies).containsOnly(0.0);
        assertThat(ReportSchema.problems(JobReportJson.text(report))).isEmpty();
    }

    @Test
    void aFailureIsOneLine() {
        builder.source(SIZE, 3, List.of());
        NodeFailure evil = new NodeFailure(Reason.NETWORK, "transfer", "a\nb");
        JobReport report = failed(
                new RobberException(Reason.NETWORK, List.of(1), "transfer", "x"), Map.of(1, NodeResult.lost(0, evil)));

        assertThat(ReportTable.text(report)).contains("during 'transfer', with 0 B of 1.0 KiB): a b\n");
    }

    @Test
    void tablesLineUp() {
        builder.source(SIZE, 3, List.of());
        builder.seconds(2);

        assertThat(ReportTable.text(builder.finished(results(null)))).isEqualTo("""
            RANK  NODE  HOST   STATUS    SECONDS  LOCAL IN  WAN IN  LOCAL OUT  WAN OUT  STOLEN
            0     A-0   host0  complete    0.00        0 B     0 B      600 B  1.0 KiB       0
            1     A-1   host1  complete    1.00    1.0 KiB     0 B        0 B      0 B       0
            2     B-0   host2  complete    1.50*     480 B   520 B      500 B      0 B       9
            3     B-1   host3  complete    1.25      500 B   500 B      480 B      0 B       8

            cluster A: 2 nodes, 0 B from other clusters, 0.000 WAN copies
            cluster B: 2 nodes, 1.0 KiB from other clusters, 1.020 WAN copies
            complete: 4 of 4 nodes have 1.0 KiB (3 entries), 2.00 s, 500 B/s, strategy robber
            """);
    }

    @Test
    void relaysAreNamed() throws IOException {
        builder.source(SIZE, 3, List.of());
        List<NodeResult> results = new ArrayList<>(results(null));
        results.set(2, results.get(2).withBytesRelayed(2048));
        JobReport report = builder.finished(results);

        assertThat(ReportTable.text(report))
                .contains("\nrelayed: B-0 passed on 2.0 KiB between nodes that cannot connect to each other\n");
        assertThat(JobReportJson.text(report)).contains("\"bytes_relayed\" : 2048");
        assertThat(ReportSchema.problems(JobReportJson.text(report))).isEmpty();
        assertThat(NodeResult.fromBytes(results.get(2).toBytes())).isEqualTo(results.get(2));
    }

    @Test
    void resultsTravelAsBytes() {
        for (NodeResult result : results("no space left on /disk/ä")) {
            assertThat(NodeResult.fromBytes(result.toBytes())).isEqualTo(result);
        }
        byte[] bytes = results(null).get(0).toBytes();
        for (int length = 0; length < bytes.length; length++) {
            byte[] truncated = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> NodeResult.fromBytes(truncated)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void filesAreReplacedAsAWhole(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("report.json");
        Files.writeString(file, "old");
        ReportFile.write(file, "new");

        assertThat(file).hasContent("new");
        assertThat(folder).isDirectoryNotContaining(path -> !path.equals(file));
        assertThatThrownBy(() -> ReportFile.write(folder.resolve("missing/report.json"), "new"))
                .isInstanceOf(IOException.class);
    }

    @Test
    void linksToFilesAreFollowedAndWhatIsNoFileStaysWhatItIs(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("report.json");
        Files.writeString(file, "a longer text than the new one");
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        Path device = Files.createSymbolicLink(folder.resolve("device"), Path.of("/dev/null"));
        ReportFile.check(link);
        ReportFile.check(device);
        ReportFile.write(link, "new");
        ReportFile.write(device, "new");

        assertThat(file).hasContent("new");
        assertThat(link).isSymbolicLink();
        assertThat(device).isSymbolicLink();
        assertThatThrownBy(() -> ReportFile.write(Path.of("/dev/full"), "new")).isInstanceOf(IOException.class);
    }

    @Test
    void theReportOfAnEarlierJobIsGoneWhenAJobBegins(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("report.json"), "complete");
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("report.json"));
        ReportFile.prepare(link, 0);

        assertThat(file).doesNotExist();
        assertThat(Files.isSymbolicLink(link)).isTrue();
        ReportFile.prepare(link, 0);
        ReportFile.write(link, "new");
        assertThat(file).hasContent("new");
        assertThat(link).isSymbolicLink();
    }

    @Test
    void aPipeWithoutAReaderIsGivenUp(@TempDir Path folder) throws IOException, InterruptedException {
        Path pipe = folder.resolve("pipe");
        assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0, "no mkfifo");

        assertThatThrownBy(() -> ReportFile.writeToPipe(pipe, "text", Duration.ZERO))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("no program has read it within");
        // The writer that was given up still waits. It gets a reader of its own: between two writers, a pipe may end.
        Process first = new ProcessBuilder("cat", pipe.toString()).start();
        assertThat(first.inputReader().readLine()).isEqualTo("text");
        assertThat(first.waitFor()).isZero();

        Process second = new ProcessBuilder("cat", pipe.toString()).start();
        ReportFile.write(pipe, "more");
        assertThat(second.inputReader().readLine()).isEqualTo("more");
        assertThat(second.waitFor()).isZero();
    }

    @Test
    void placesForNoReportAreFoundBeforehand(@TempDir Path folder) {
        assertThatThrownBy(() -> ReportFile.check(folder)).hasMessageContaining("folder");
        assertThatThrownBy(() -> ReportFile.check(folder.resolve("missing/report.json")))
                .hasMessageContaining("missing");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void placesWhereNothingCanBeCreatedAreFoundWithAReason() {
        assumeTrue(Files.isDirectory(Path.of("/proc")));
        assertThatThrownBy(() -> ReportFile.check(Path.of("/proc/nope")))
                .isInstanceOfSatisfying(
                        IOException.class,
                        failure -> assertThat(FileFailure.text(failure))
                                .startsWith("/proc/")
                                .containsAnyOf(
                                        ": nothing can be created there", ": permission denied", "no permission"));
        assertThat(FileFailure.text(new AccessDeniedException("a"))).isEqualTo("a: permission denied");
        assertThat(FileFailure.text(new FileSystemException("a", null, "No space left")))
                .isEqualTo("a: No space left");
        assertThat(FileFailure.text(new IOException())).isEqualTo("IOException");
    }

    @Test
    void whatIsSentByAPlanIsNotStolen() {
        ReportBuilder tree = new ReportBuilder(FakeWorld.of(2, 2), List.of(0), "chain");
        tree.source(SIZE, 3, List.of());

        assertThat(ReportTable.text(tree.finished(results(null)))
                        .lines()
                        .skip(1)
                        .limit(4))
                .allMatch(line -> line.endsWith("  -"));
    }

    /** Node 0 is the root; node 3 may have failed. */
    private static List<NodeResult> results(String failure) {
        return List.of(
                new NodeResult(0, stats(0, 0, 600, 1020, 0), SIZE, null),
                new NodeResult(1, stats(1000, 0, 0, 0, 0), SIZE, null),
                new NodeResult(1.5, stats(520, 480, 0, 500, 9), SIZE, null),
                new NodeResult(
                        1.25,
                        stats(500, 500, 0, 480, 8),
                        SIZE,
                        failure == null ? null : new NodeFailure(Reason.DESTINATION, "commit", failure)));
    }

    private JobReport failed(RobberException failure, Map<Integer, NodeResult> lost) {
        return builder.failed(failure, lost, rank -> 10);
    }

    private static TransferStats stats(long fromA, long fromB, long toA, long toB, int stolen) {
        return new TransferStats(SIZE, 1, List.of(fromA, fromB), List.of(toA, toB), 10, 4, stolen, 1, 0, 0);
    }

    /** A name such as /dev/stderr stands for a file if the stream is redirected to one. */
    @Test
    void aFileThatIsOpenIsAddedToAndNotReplaced(@TempDir Path folder) throws IOException {
        Path log = Files.writeString(folder.resolve("log"), "before\n");
        try (OutputStream open = Files.newOutputStream(log, StandardOpenOption.APPEND);
                Stream<Path> names = Files.list(Path.of("/proc/self/fd"))) {
            Path name = names.filter(one -> isSame(one, log)).findFirst().orElseThrow();
            ReportFile.check(name);
            ReportFile.write(name, "report\n");
            open.write("after\n".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(log).hasContent("before\nreport\nafter\n");
    }

    private static boolean isSame(Path one, Path other) {
        try {
            return Files.isSameFile(one, other);
        } catch (IOException e) {
            return false;
        }
    }
}

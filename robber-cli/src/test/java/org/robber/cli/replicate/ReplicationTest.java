package org.robber.cli.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.ChannelOptions;
import org.robber.ChannelOptions.OnLoss;
import org.robber.Communicator;
import org.robber.JobControl;
import org.robber.JobControl.JobProgress;
import org.robber.LocalJob;
import org.robber.Robber;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.Trees;
import org.robber.cli.node.RecordedOutput;
import org.robber.cli.node.UnfinishedCopy;
import org.robber.cli.report.ReportSchema;
import org.robber.cli.request.LossPolicy;
import org.robber.cli.request.LossPolicy.OnFailure;
import org.robber.cli.request.MinSuccess;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.request.Requests;

/** All nodes of a replication in one process. */
class ReplicationTest {

    @TempDir
    Path folder;

    private final Map<Integer, Integer> codes = new ConcurrentSkipListMap<>();
    private final AtomicReference<Replication> root = new AtomicReference<>();
    private int untold = -1;
    /** Called with the bytes that are verified, at rank 0. */
    private Consumer<JobProgress> onProgress = progress -> {};

    private final RecordedOutput output = new RecordedOutput() {
        @Override
        public void progress(JobProgress shown) {
            onProgress.accept(shown);
        }

        @Override
        public void error(int exitCode, String message) {
            errors.add(exitCode + " " + message);
        }
    };

    @Test
    void everyNodeReturnsTheSameCodeAndHasTheTree() throws IOException {
        Path source = Trees.make(folder.resolve("tree"), 11);

        assertThat(replicate(2, 3, request(source + "/", "{cluster}-{rank}")))
                .hasSize(6)
                .containsOnly(0);

        for (String node : List.of("A-0", "A-1", "A-2", "B-3", "B-4", "B-5")) {
            Trees.assertSame(source, folder.resolve(node));
        }
        assertThat(String.join("\n", output.lines)).contains("cluster B: 3 nodes", "complete: 6 of 6 nodes");
        assertThat(output.starts).as("rank 0 alone tells of the start").hasSize(1);
        assertThat(output.errors).isEmpty();
    }

    @Test
    void theSourceIsTheCopyOfRankZeroWhereItIsInPlace() throws IOException {
        Path source = Trees.make(folder.resolve("A-0/tree"), 12);
        Files.createDirectory(folder.resolve("A-1"));

        assertThat(replicate(1, 2, request(source.toString(), "{node}"))).containsOnly(0);

        Trees.assertSame(source, folder.resolve("A-1/tree"));
        assertThat(Trees.names(folder.resolve("A-0"))).contains("tree").noneMatch(name -> name.contains("partial"));
    }

    @Test
    void aBadDestinationOfOneNodeIsNoMatterOfTheOthers() throws IOException {
        Path source = Trees.make(folder.resolve("tree"), 13);
        Files.writeString(folder.resolve("A-1"), "in the way");

        Map<Integer, RobberException> failures = failures(1, 3, request(source.toString(), "{node}"));

        assertThat(failures).containsOnlyKeys(1);
        assertThat(failures.get(1).reason()).isEqualTo(Reason.DESTINATION);
        assertThat(failures.get(1)).hasMessageContainingAll("node A-1 (rank 1, host ", "prepare");
        assertThat(codes.values()).containsExactly(23, 23);
        Trees.assertSame(source, folder.resolve("A-0/tree"));
        Trees.assertSame(source, folder.resolve("A-2/tree"));
        assertThat(output.losses).containsExactly(1);
        assertThat(String.join("\n", output.lines))
                .contains("failed A-1 (destination, during 'prepare', with 0 B of ", "partial: 2 of 3 nodes");
        assertThat(output.errors).hasSize(1);
        assertThat(output.errors.get(0)).startsWith("23 1 of 3 nodes is not known to be complete: A-1 (rank 1, host ");
    }

    @Test
    void aJobThatTooFewNodesCanCompleteEndsAndNamesWhoIsMissing() throws IOException {
        Path source = Trees.make(folder.resolve("tree"), 13);
        Files.writeString(folder.resolve("A-1"), "in the way");
        LossPolicy all = new LossPolicy(OnFailure.CONTINUE, MinSuccess.parse("100%"));

        Map<Integer, RobberException> failures =
                failures(1, 3, request(source.toString(), "{node}", all, OnLoss.COMPLETE_SURVIVORS));

        assertThat(failures).containsOnlyKeys(0, 1, 2);
        assertThat(failures.get(0).reason()).isEqualTo(Reason.NETWORK);
        assertThat(failures.get(0).ranks()).containsExactly(1);
        assertThat(failures.get(0))
                .hasMessageContainingAll(
                        "only 2 of 3 nodes can complete", "--min-success=100% asks for 3", "node A-1 (");
        assertThat(folder.resolve("A-0")).doesNotExist();
        assertThat(folder.resolve("A-2")).doesNotExist();
    }

    @Test
    void aRootThatIsLeftAloneEndsWithWhatAllOthersFailedOf() throws IOException {
        Path source = Trees.make(folder.resolve("tree"), 13);
        Files.writeString(folder.resolve("A-1"), "in the way");

        Map<Integer, RobberException> failures = failures(1, 2, request(source.toString(), "{node}"));

        assertThat(failures.get(0).reason()).isEqualTo(Reason.DESTINATION);
        assertThat(failures.get(0)).hasMessageContainingAll("all nodes but the root are lost: node A-1 (", "is a file");
        assertThat(folder.resolve("A-0")).doesNotExist();
    }

    @Test
    void whoIsNotDoneByTheDeadlineIsGivenUpAndTheOthersKeepTheirCopies() throws IOException {
        Path source = Trees.make(folder.resolve("tree"), 15);
        AtomicBoolean passed = new AtomicBoolean();
        // what has come to node 2 is not told; the deadline passes when the others are done
        untold = 2;
        onProgress = progress -> {
            if (progress.nodesDone() == progress.nodes() && passed.compareAndSet(false, true)) {
                root.get().deadlinePassed(Duration.ofSeconds(7));
            }
        };

        Map<Integer, RobberException> failures = failures(1, 4, request(source.toString(), "{node}"));

        assertThat(failures).containsOnlyKeys(2);
        assertThat(failures.get(2).reason()).isEqualTo(Reason.DEADLINE);
        assertThat(codes.values()).containsExactly(30, 30, 30);
        for (String node : List.of("A-0", "A-1", "A-3")) {
            Trees.assertSame(source, folder.resolve(node + "/tree"));
        }
        assertThat(folder.resolve("A-2/tree")).doesNotExist();
        assertThat(output.errors.get(0))
                .contains(
                        "30 1 of 4 nodes is not known to be complete: A-2 (rank 2, host ",
                        "the deadline of 7 s has passed");
    }

    @Test
    void aBadDestinationOfOneNodeEndsTheJobForAllIfThatIsWanted() throws IOException {
        Path source = Trees.make(folder.resolve("tree"), 13);
        Files.writeString(folder.resolve("A-1"), "in the way");
        LossPolicy abort = new LossPolicy(OnFailure.ABORT, null);

        assertThat(failures(1, 3, request(source.toString(), "{node}", abort, OnLoss.ABORT))
                        .values())
                .hasSize(3)
                .allSatisfy(failure -> {
                    assertThat(failure.reason()).isEqualTo(Reason.DESTINATION);
                    assertThat(failure.ranks()).containsExactly(1);
                    assertThat(failure)
                            .hasMessageContaining("node A-1 (rank 1, host ")
                            .hasMessageContaining("prepare");
                });
        assertThat(folder.resolve("A-0")).doesNotExist();
        assertThat(folder.resolve("A-2")).doesNotExist();
    }

    /** All copies are in place, and the file cannot be written: programs get the same from the output. */
    @Test
    void programsGetTheReportThatCannotBeWritten() throws IOException {
        Path source = Files.writeString(folder.resolve("source"), "data");
        ReplicateRequest request = Requests.of(source.toString(), folder + "/{node}", ChannelOptions.defaults())
                .json(Path.of("/dev/full"))
                .request();

        assertThat(failures(2, 1, request).values())
                .allSatisfy(failure -> assertThat(failure.reason()).isEqualTo(Reason.DESTINATION));
        assertThat(ReportSchema.problems(output.text())).isEmpty();
        assertThat(output.text())
                .contains("\"exit_code\" : 6", "but the report cannot be written to /dev/full")
                .doesNotContain("\"stopped\"");
    }

    @Test
    void failuresAreReportedToo() throws IOException {
        Path report = folder.resolve("report.json");
        ReplicateRequest request = Requests.of(
                        folder + "/none",
                        folder + "/{node}",
                        ChannelOptions.defaults().withOnLoss(OnLoss.COMPLETE_SURVIVORS))
                .json(report)
                .request();

        assertThat(failures(2, 1, request).values())
                .allSatisfy(failure -> assertThat(failure.reason()).isEqualTo(Reason.SOURCE));
        assertThat(ReportSchema.problems(Files.readString(report))).isEmpty();
        assertThat(String.join("\n", output.lines) + "\n").isEqualTo(Files.readString(report));
    }

    @Test
    void nothingIsShownOfASourceThatChanged() throws IOException {
        Path source = Files.createDirectory(folder.resolve("tree"));
        Path file = Trees.makeLarge(source.resolve("file"), 3_000_000);
        onProgress = progress -> {
            try {
                Files.writeString(file, "changed");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };

        assertThat(failures(1, 3, request(source.toString(), "{node}")).values())
                .allSatisfy(failure -> assertThat(failure.reason()).isEqualTo(Reason.SOURCE_CHANGED));
        for (String node : List.of("A-0", "A-1", "A-2")) {
            assertThat(folder.resolve(node)).doesNotExist();
        }
    }

    @Test
    void aCopyThatCannotBePutInPlaceMakesTheJobPartial() throws IOException {
        Path source = Files.createDirectory(folder.resolve("tree"));
        Files.writeString(source.resolve("file"), "x");
        Files.createDirectory(folder.resolve("A-1"));
        onProgress = progress -> {
            try {
                // a folder with something in it turns up where the file must go
                Files.createDirectories(folder.resolve("A-1/file/in-the-way"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };

        assertThat(replicate(1, 3, request(source + "/", "{node}"))).containsOnly(23);

        assertThat(output.errors).hasSize(1);
        assertThat(output.errors.get(0)).contains("1 of 3 nodes", "A-1");
        Trees.assertSame(source, folder.resolve("A-0"));
        Trees.assertSame(source, folder.resolve("A-2"));
    }

    @Test
    void dryRunsCountAndCheckAndWriteNothing() throws IOException {
        Path source = Trees.make(folder.resolve("tree"), 14);
        ReplicateRequest request = Requests.of(
                        source.toString(),
                        folder + "/{node}",
                        ChannelOptions.defaults().withOnLoss(OnLoss.COMPLETE_SURVIVORS))
                .dryRun()
                .request();

        assertThat(replicate(2, 2, request)).containsOnly(0);
        assertThat(String.join("\n", output.lines)).contains("nodes:    4 (A: 2, B: 2)", "nothing was written");
        assertThat(folder.resolve("A-0")).doesNotExist();
    }

    private ReplicateRequest request(String source, String destination) {
        return request(
                source, destination, new LossPolicy(LossPolicy.OnFailure.CONTINUE, null), OnLoss.COMPLETE_SURVIVORS);
    }

    private ReplicateRequest request(String source, String destination, LossPolicy losses, OnLoss onLoss) {
        ChannelOptions channel = ChannelOptions.defaults().withPieceBytes(65536).withOnLoss(onLoss);
        return Requests.of(source, folder + "/" + destination, channel)
                .losses(losses)
                .request();
    }

    private List<Integer> replicate(int clusters, int nodes, ReplicateRequest request) {
        try (LocalJob job = Robber.local(clusters, nodes)) {
            job.run(world -> takePart(request, world));
        }
        return List.copyOf(codes.values());
    }

    private void takePart(ReplicateRequest request, Communicator world) {
        UnfinishedCopy unfinished = new UnfinishedCopy();
        try {
            codes.put(world.rank(), replication(request, world, unfinished).run());
        } finally {
            unfinished.close();
        }
    }

    private Replication replication(ReplicateRequest request, Communicator world, UnfinishedCopy unfinished) {
        Replication part = new Replication(request, Requests::noInput, telling(world), output, unfinished);
        if (world.rank() == 0) {
            root.set(part);
        }
        return part;
    }

    /** The world, in which nobody knows how far {@link #untold} is. */
    private Communicator telling(Communicator world) {
        return (Communicator) Proxy.newProxyInstance(
                Communicator.class.getClassLoader(),
                new Class<?>[] {Communicator.class, JobControl.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("bytesDone") && arguments[0].equals(untold)) {
                        return 0L;
                    }
                    if (method.getName().equals("control")) {
                        return proxy;
                    }
                    Object asked = method.getDeclaringClass() == JobControl.class ? world.control() : world;
                    try {
                        return method.invoke(asked, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private Map<Integer, RobberException> failures(int clusters, int nodes, ReplicateRequest request) {
        Map<Integer, RobberException> failures = new ConcurrentSkipListMap<>();
        LocalJob job = Robber.local(clusters, nodes);
        try {
            assertThatThrownBy(() -> job.run(world -> {
                        try {
                            takePart(request, world);
                        } catch (RobberException e) {
                            failures.put(world.rank(), e);
                            throw e;
                        }
                    }))
                    .isInstanceOf(RobberException.class);
        } finally {
            job.close();
        }
        return new TreeMap<>(failures);
    }
}

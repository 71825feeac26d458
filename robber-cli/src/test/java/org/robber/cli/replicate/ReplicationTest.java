package org.robber.cli.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.ChannelOptions;
import org.robber.Communicator.JobProgress;
import org.robber.LocalJob;
import org.robber.Robber;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.Trees;
import org.robber.cli.replicate.ReplicateRequest.OutputFormat;
import org.robber.cli.report.ReportSchema;

/** All nodes of a replication in one process. */
class ReplicationTest {

    @TempDir
    Path folder;

    private final List<String> results = Collections.synchronizedList(new ArrayList<>());
    private final List<Long> starts = Collections.synchronizedList(new ArrayList<>());
    private final List<String> errors = Collections.synchronizedList(new ArrayList<>());
    /** Called with the bytes that are verified, at rank 0. */
    private Consumer<JobProgress> onProgress = progress -> {};

    @Test
    void everyNodeReturnsTheSameCodeAndHasTheTree() throws IOException {
        Path source = Trees.make(folder.resolve("tree"), 11);

        assertThat(replicate(2, 3, request(source + "/", "{cluster}-{rank}")))
                .hasSize(6)
                .containsOnly(0);

        for (String node : List.of("A-0", "A-1", "A-2", "B-3", "B-4", "B-5")) {
            Trees.assertSame(source, folder.resolve(node));
        }
        assertThat(String.join("\n", results)).contains("cluster B: 3 nodes", "complete: 6 of 6 nodes");
        assertThat(starts).as("rank 0 alone tells of the start").hasSize(1);
        assertThat(errors).isEmpty();
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
    void aBadDestinationOfOneNodeEndsTheJobForAll() throws IOException {
        Path source = Trees.make(folder.resolve("tree"), 13);
        Files.writeString(folder.resolve("A-1"), "in the way");

        assertThat(failures(1, 3, request(source.toString(), "{node}")).values())
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

    @Test
    void failuresAreReportedToo() throws IOException {
        Path report = folder.resolve("report.json");
        ReplicateRequest request = new ReplicateRequest(
                folder + "/none",
                folder + "/{node}",
                ChannelOptions.defaults(),
                null,
                OutputFormat.JSON,
                report,
                false,
                false,
                null);

        assertThat(failures(2, 1, request).values())
                .allSatisfy(failure -> assertThat(failure.reason()).isEqualTo(Reason.SOURCE));
        assertThat(ReportSchema.problems(Files.readString(report))).isEmpty();
        assertThat(String.join("\n", results) + "\n").isEqualTo(Files.readString(report));
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

        assertThat(errors).hasSize(1);
        assertThat(errors.get(0)).contains("1 of 3 nodes", "A-1");
        Trees.assertSame(source, folder.resolve("A-0"));
        Trees.assertSame(source, folder.resolve("A-2"));
    }

    @Test
    void dryRunsCountAndCheckAndWriteNothing() throws IOException {
        Path source = Trees.make(folder.resolve("tree"), 14);
        ReplicateRequest request = new ReplicateRequest(
                source.toString(),
                folder + "/{node}",
                ChannelOptions.defaults(),
                null,
                OutputFormat.TEXT,
                null,
                true,
                false,
                null);

        assertThat(replicate(2, 2, request)).containsOnly(0);
        assertThat(String.join("\n", results)).contains("nodes:    4 (A: 2, B: 2)", "nothing was written");
        assertThat(folder.resolve("A-0")).doesNotExist();
    }

    @Test
    void aTargetThatComesAfterTheEndIsEndedAtOnce() {
        TargetSlot slot = new TargetSlot();
        List<String> closed = new ArrayList<>();
        slot.hold(recorder("first", closed));
        slot.close();
        slot.close();
        assertThat(closed).containsExactly("first left");
        slot.hold(recorder("late", closed));
        assertThat(closed).containsExactly("first left", "late left");
        slot.distrust();
        slot.hold(recorder("wrong", closed));
        assertThat(closed).containsExactly("first left", "late left", "wrong removed");
    }

    private static TargetSlot.Target recorder(String name, List<String> ends) {
        return new TargetSlot.Target() {
            @Override
            public void close() {
                ends.add(name + " left");
            }

            @Override
            public void discard() {
                ends.add(name + " removed");
            }
        };
    }

    private ReplicateRequest request(String source, String destination) {
        return new ReplicateRequest(
                source,
                folder + "/" + destination,
                ChannelOptions.defaults().withPieceBytes(65536),
                null,
                OutputFormat.TEXT,
                null,
                false,
                false,
                null);
    }

    private List<Integer> replicate(int clusters, int nodes, ReplicateRequest request) {
        Map<Integer, Integer> codes = new ConcurrentSkipListMap<>();
        try (LocalJob job = Robber.local(clusters, nodes)) {
            job.run(world -> {
                TargetSlot slot = new TargetSlot();
                try {
                    codes.put(world.rank(), new Replication(request, world, new Recorder(), slot).run());
                } finally {
                    slot.close();
                }
            });
        }
        return List.copyOf(codes.values());
    }

    private Map<Integer, RobberException> failures(int clusters, int nodes, ReplicateRequest request) {
        Map<Integer, RobberException> failures = new ConcurrentSkipListMap<>();
        LocalJob job = Robber.local(clusters, nodes);
        try {
            assertThatThrownBy(() -> job.run(world -> {
                        TargetSlot slot = new TargetSlot();
                        try {
                            new Replication(request, world, new Recorder(), slot).run();
                        } catch (RobberException e) {
                            failures.put(world.rank(), e);
                            throw e;
                        } finally {
                            slot.close();
                        }
                    }))
                    .isInstanceOf(RobberException.class);
        } finally {
            job.close();
        }
        return new TreeMap<>(failures);
    }

    private final class Recorder implements NodeOutput {
        @Override
        public void listening(int port) {
            throw new AssertionError("the job is there already");
        }

        @Override
        public void started(long bytesTotal) {
            starts.add(bytesTotal);
        }

        @Override
        public void progress(JobProgress progress) {
            onProgress.accept(progress);
        }

        @Override
        public void result(String line) {
            results.add(line);
        }

        @Override
        public void error(int exitCode, String message) {
            errors.add(exitCode + " " + message);
        }
    }
}

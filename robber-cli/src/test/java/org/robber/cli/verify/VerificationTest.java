package org.robber.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.ChannelOptions;
import org.robber.JobControl.JobProgress;
import org.robber.LocalJob;
import org.robber.Robber;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.Trees;
import org.robber.cli.node.RecordedOutput;
import org.robber.cli.replicate.RecordedJob;
import org.robber.cli.report.OutputFormat;
import org.robber.cli.report.ReportSchema;
import org.robber.cli.report.VerifyReport;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.request.Requests;
import org.robber.cli.request.TimeLimit;
import org.robber.cli.request.VerifyRequest;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.rendezvous.HostName;
import org.robber.transport.storage.copy.CopyTerms;
import org.robber.transport.storage.copy.TreeTarget;
import org.robber.transport.storage.record.CopyRecords;
import org.robber.transport.storage.source.TreeScanner;
import org.robber.transport.storage.source.TreeSource;

/** Copies that were made, and what became of them; all nodes in one process. */
class VerificationTest {

    @TempDir
    Path folder;

    private final RecordedOutput output = new RecordedOutput() {
        @Override
        public void error(int exitCode, String message) {
            assertThat(exitCode).as(message).isEqualTo(Reason.INTEGRITY.exitCode());
            assertThat(message)
                    .startsWith("some copies are not right: those of node ")
                    .contains("(rank ", ", host ");
        }
    };
    private Path source;

    @BeforeEach
    void replicate() throws IOException {
        source = Trees.make(folder.resolve("tree"), 21);
        for (String node : List.of("A-0", "A-1", "B-0", "B-1")) {
            Files.createDirectory(folder.resolve(node));
        }
        copy();
        output.lines.clear();
        output.starts.clear();
        output.progress.clear();
    }

    private void copy() {
        ReplicateRequest request = Requests.of(
                        source.toString(),
                        folder + "/{node}",
                        ChannelOptions.defaults().withPieceBytes(65536))
                .stateFolder(folder.resolve("state"))
                .request();
        try (LocalJob job = Robber.local(2, 2)) {
            job.run(world -> assertThat(RecordedJob.replicate(request, world, new RecordedOutput()))
                    .isZero());
        }
    }

    private static void flip(Path file, long position) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(position);
            int old = bytes.read();
            bytes.seek(position);
            bytes.write(old ^ 8);
        }
    }

    private List<Integer> verify(boolean repair) {
        return verify(repair, OutputFormat.TEXT);
    }

    private List<Integer> verify(boolean repair, OutputFormat format) {
        output.lines.clear();
        VerifyRequest request =
                new VerifyRequest(folder + "/{node}", true, repair, folder.resolve("state"), format, null, null);
        Map<Integer, Integer> codes = new ConcurrentSkipListMap<>();
        VerifyProgress ofAllNodes = new VerifyProgress(output, 4);
        VerifyReport report = new VerifyReport();
        try (LocalJob job = Robber.local(2, 2)) {
            job.run(world ->
                    codes.put(world.rank(), new Verification(request, world, output, ofAllNodes, report).run()));
        }
        return List.copyOf(codes.values());
    }

    @Test
    void copiesAreRight() {
        assertThat(verify(false)).containsExactly(0, 0, 0, 0);
        assertThat(output.lines).hasSize(4).allMatch(line -> line.endsWith(": right"));
    }

    /** As with {@code -w}: the copy that lies at its place is not that of the job. */
    @Test
    void rankZeroMayHaveNoCopy() throws IOException {
        Files.delete(folder.resolve("A-0/tree/a"));
        flip(folder.resolve("B-0/tree/large"), 1_000_000);
        VerifyRequest request = new VerifyRequest(
                folder + "/{node}", true, false, folder.resolve("state"), OutputFormat.TEXT, null, null);
        List<Integer> codes = Collections.synchronizedList(new ArrayList<>());
        VerifyProgress ofAllNodes = new VerifyProgress(output, 3);
        VerifyReport report = new VerifyReport();
        try (LocalJob job = Robber.local(2, 2)) {
            job.run(world -> {
                VerifyRequest here = world.rank() == 0 ? request.atSource(null) : request;
                codes.add(new Verification(here, world, output, ofAllNodes, report).run());
            });
        }
        assertThat(codes).hasSize(4).containsOnly(7);
        assertThat(output.lines)
                .noneMatch(line -> line.startsWith("A-0 "))
                .anyMatch(line -> line.startsWith("A-1 ") && line.endsWith(": right"))
                .anyMatch(line -> line.startsWith("B-0 ") && line.contains("tree/large: 1 of "));
        assertThat(output.progress.get(output.progress.size() - 1).nodesDone()).isEqualTo(3);
    }

    @Test
    void damageIsNamedAndRepaired() throws IOException {
        Path large = folder.resolve("B-0/tree/large");
        Files.setPosixFilePermissions(large, PosixFilePermissions.fromString("rw-r--r--"));
        flip(large, 1_000_000);
        Files.delete(folder.resolve("A-0/tree/sub/deep/.hidden"));

        assertThat(verify(false)).containsOnly(7);
        assertThat(output.lines)
                .anyMatch(line -> line.startsWith("A-0 ") && line.contains("tree/sub/deep/.hidden: is missing"))
                .anyMatch(line -> line.startsWith("B-0 ")
                        && line.contains("tree/large: 1 of ")
                        && line.contains("pieces are not what they were"))
                .anyMatch(line -> line.startsWith("A-1 ") && line.endsWith(": right"));

        assertThat(verify(true)).containsOnly(0);
        assertThat(output.lines).contains("repaired from A-1");
        assertThat(verify(false)).containsOnly(0);
        assertThat(Files.mismatch(source.resolve("large"), large)).isEqualTo(-1);
        assertThat(folder.resolve("A-0/tree/sub/deep/.hidden"))
                .hasSameBinaryContentAs(source.resolve("sub/deep/.hidden"));
        assertThat(Trees.names(folder.resolve("B-0"))).noneMatch(name -> name.startsWith(".robber-"));
    }

    /** Each node has a record of two runs, and no digests of the pieces that the whole would be cut into. */
    @Test
    void copiesThatCameInSeveralRunsAreRepaired() throws IOException {
        Files.writeString(source.resolve("sub/deep/.hidden"), "written anew");
        copy();
        flip(folder.resolve("A-0/tree/large"), 1_000_000);
        flip(folder.resolve("A-0/tree/sub/deep/.hidden"), 3);
        Files.delete(folder.resolve("B-1/tree/large"));

        assertThat(verify(true)).containsOnly(0);
        assertThat(output.lines)
                .anyMatch(line -> line.startsWith("A-0 ") && line.contains("tree/sub/deep/.hidden: 1 of 1 pieces"))
                .anyMatch(line -> line.startsWith("B-1 ") && line.contains("tree/large: is missing"))
                .contains("repaired from A-1");
        assertThat(verify(false)).containsOnly(0);
        for (String node : List.of("A-0", "A-1", "B-0", "B-1")) {
            Trees.assertSame(source, folder.resolve(node).resolve("tree"));
        }
    }

    /** The whole copy is what others get, and not what an interrupted run has left beside it. */
    @Test
    void leftoversOfAnotherVersionAreNotSent() throws IOException {
        Path saved = folder.resolve("saved");
        Files.copy(folder.resolve("A-1/tree/large"), saved);
        leaveNextVersion(folder.resolve("A-0"));
        flip(folder.resolve("A-1/tree/sub/deep/.hidden"), 3);

        assertThat(verify(true)).containsOnly(0);
        assertThat(output.lines).contains("repaired from A-0");
        for (String node : List.of("A-0", "A-1", "B-0", "B-1")) {
            assertThat(folder.resolve(node).resolve("tree/large")).hasSameBinaryContentAs(saved);
        }
    }

    /** Changes a file of the source, and leaves a half-written copy of that. */
    private void leaveNextVersion(Path destination) throws IOException {
        flip(source.resolve("large"), 1_000_000);
        CopyRecords records = new CopyRecords(folder.resolve("state"), HostName.ofThisMachine());
        String key = records.copies(destination.toString()).firstKey();
        try (TreeSource next = new TreeSource(TreeScanner.scan(source.toString()))) {
            PieceLayout layout = new PieceLayout(next.sizeBytes(), 65536);
            CopyTerms terms = new CopyTerms(key, layout, "xxh3-128", false);
            try (TreeTarget target = TreeTarget.open(destination.toString(), next.manifest(), terms)) {
                for (int piece = 0; piece < layout.pieceCount(); piece++) {
                    ByteBuffer bytes = ByteBuffer.allocate(layout.lengthBytes(piece));
                    next.read(layout.offsetBytes(piece), bytes);
                    target.write(layout.offsetBytes(piece), bytes.flip());
                    target.verified(
                            layout.offsetBytes(piece),
                            layout.lengthBytes(piece),
                            PieceHashers.named("xxh3-128").hash(bytes.flip()));
                }
            }
        }
    }

    /** A crash of a machine may leave an empty file. */
    @Test
    void aDamagedRecordIsAsGoodAsNone() throws IOException {
        CopyRecords records = new CopyRecords(folder.resolve("state"), HostName.ofThisMachine());
        String destination = folder.resolve("A-0").toString();
        Path record = records.record(destination, records.copies(destination).firstKey());
        Files.write(record, new byte[0]);

        assertThat(verify(false)).containsOnly(7);
        assertThat(output.lines)
                .anyMatch(line -> line.startsWith("A-0 ") && line.endsWith(": nothing is known of this copy"))
                .anyMatch(line -> line.startsWith("B-1 ") && line.endsWith(": right"));
        assertThat(verify(true)).containsOnly(0);
        assertThat(output.lines).contains("repaired from A-1");
        assertThat(verify(false)).containsOnly(0);
    }

    /** Two sources have a file of one path. Each node has the bytes of the second one. */
    @Test
    void aFileBelongsToTheSourceThatCameLast() throws IOException {
        Path other = copyOther();

        assertThat(verify(false)).containsOnly(0);
        assertThat(output.lines)
                .filteredOn(line -> line.endsWith(": files replaced by later copies: 1"))
                .hasSize(4);
        CopyRecords records = new CopyRecords(folder.resolve("state"), HostName.ofThisMachine());
        assertThat(output.lines)
                .filteredOn(line -> line.startsWith("copy "))
                .containsExactlyInAnyOrderElementsOf(
                        records.copies(folder.resolve("A-0").toString()).keySet().stream()
                                .map(name -> "copy " + name + ":")
                                .toList());
        flip(folder.resolve("B-0/tree/large"), 1_000);
        assertThat(verify(true)).containsOnly(0);
        assertThat(output.lines).containsOnlyOnce("repaired from A-0");
        assertThat(folder.resolve("B-0/tree/large")).hasSameBinaryContentAs(other.resolve("large"));
        Files.delete(folder.resolve("B-0/tree/a"));
        assertThat(verify(true)).containsOnly(0);
        assertThat(folder.resolve("B-0/tree/a")).hasSameBinaryContentAs(source.resolve("a"));
        assertThat(folder.resolve("B-0/tree/large")).hasSameBinaryContentAs(other.resolve("large"));
        assertThat(verify(false, OutputFormat.JSON)).containsOnly(0);
        assertThat(ReportSchema.problems(output.text(), "verify.schema.json")).isEmpty();
        assertThat(output.text()).contains("\"files_replaced\" : 1");
    }

    /** As after a run of the second source that has not come to this node. */
    @Test
    void aRepairBringsTheBytesThatCameLast() throws IOException {
        Path other = copyOther();
        forgetLast("B-0");
        Files.copy(source.resolve("large"), folder.resolve("B-0/tree/large"), StandardCopyOption.REPLACE_EXISTING);

        assertThat(verify(false)).containsOnly(7);
        assertThat(verify(true)).containsOnly(0);
        for (String node : List.of("A-0", "A-1", "B-0", "B-1")) {
            assertThat(folder.resolve(node).resolve("tree/large")).hasSameBinaryContentAs(other.resolve("large"));
        }
        assertThat(verify(false)).containsOnly(0);
    }

    /** Its copy is right by its own record, and older than the others. */
    @Test
    void aNodeThatMissedTheLastRunIsRepairedFromTheOthers() throws IOException {
        Path record = lastRecord("A-0");
        Path oldRecord = Files.copy(record, folder.resolve("record"), StandardCopyOption.COPY_ATTRIBUTES);
        Path copy = folder.resolve("A-0");
        Path oldCopy = Files.move(copy, folder.resolve("old"));
        Files.createDirectory(copy);
        Files.writeString(source.resolve("a"), "of the last run");
        copy();
        Files.move(copy, folder.resolve("new"));
        Files.move(oldCopy, copy);
        Files.move(oldRecord, record, StandardCopyOption.REPLACE_EXISTING);

        assertThat(verify(false)).containsOnly(7);
        assertThat(output.lines).anyMatch(line -> line.startsWith("A-0 ") && line.endsWith(": not what A-1 has"));
        assertThat(verify(true)).containsOnly(0);
        assertThat(output.lines).contains("repaired from A-1");
        for (String node : List.of("A-0", "A-1", "B-0", "B-1")) {
            assertThat(folder.resolve(node).resolve("tree/a")).hasContent("of the last run");
        }
        assertThat(verify(false)).containsOnly(0);
    }

    /** One node alone has a record of the second source, and is damaged. Another one has the bytes of the first one whole. */
    @Test
    void nothingIsRepairedWhereNobodyKnowsWhatCameLast() throws IOException {
        Path other = copyOther();
        for (String node : List.of("A-0", "B-0", "B-1")) {
            forgetLast(node);
        }
        Files.delete(folder.resolve("A-1/tree/new"));
        Files.copy(source.resolve("large"), folder.resolve("B-0/tree/large"), StandardCopyOption.REPLACE_EXISTING);

        assertThat(verify(true)).containsOnly(7);
        assertThat(output.lines).noneMatch(line -> line.startsWith("repaired"));
        for (String node : List.of("A-0", "A-1", "B-1")) {
            assertThat(folder.resolve(node).resolve("tree/large")).hasSameBinaryContentAs(other.resolve("large"));
        }
    }

    /** The record of the second source is damaged on all nodes, and one node has the bytes of the first one. */
    @Test
    void nothingIsRepairedWhileALaterCopyIsUnknown() throws IOException {
        Path other = copyOther();
        for (String node : List.of("A-0", "A-1", "B-0", "B-1")) {
            Files.write(lastRecord(node), new byte[3]);
        }
        Files.copy(source.resolve("large"), folder.resolve("B-0/tree/large"), StandardCopyOption.REPLACE_EXISTING);

        assertThat(verify(true)).containsOnly(7);
        assertThat(output.lines).anyMatch(line -> line.startsWith("not repaired, since nodes know nothing"));
        assertThat(folder.resolve("A-0/tree/large")).hasSameBinaryContentAs(other.resolve("large"));
    }

    /** Nothing of the first one is left to look at, and the second one is looked at for all of it. */
    @Test
    void aSourceThatWasReplacedAsAWholeIsJudgedByTheLaterOne() throws IOException {
        Path first = source;
        source = Trees.make(folder.resolve("other/tree"), 22);
        copy();
        assertThat(verify(false, OutputFormat.JSON)).containsOnly(0);
        assertThat(output.text()).contains("\"status\" : \"replaced\"", "\"status\" : \"right\"");
        assertThat(ReportSchema.problems(output.text(), "verify.schema.json")).isEmpty();

        Path copied = folder.resolve("B-0/tree/large");
        Files.copy(first.resolve("large"), copied, StandardCopyOption.REPLACE_EXISTING);
        assertThat(verify(false)).containsOnly(7);
        assertThat(verify(true)).containsOnly(0);
        assertThat(copied).hasSameBinaryContentAs(source.resolve("large"));
    }

    /** Copies a source with another file {@code large}, and a new one. */
    private Path copyOther() throws IOException {
        Path first = source;
        Path other =
                Trees.makeLarge(folder.resolve("other/tree/large"), 300_000).getParent();
        Files.writeString(other.resolve("new"), "new");
        source = other;
        copy();
        source = first;
        return other;
    }

    /** The record of the copy that came last to a node. */
    private Path lastRecord(String node) throws IOException {
        CopyRecords records = new CopyRecords(folder.resolve("state"), HostName.ofThisMachine());
        String destination = folder.resolve(node).toString();
        Map<String, FileTime> copies = records.copies(destination);
        return records.record(
                destination,
                Collections.max(copies.entrySet(), Map.Entry.comparingByValue()).getKey());
    }

    private void forgetLast(String node) throws IOException {
        Files.delete(lastRecord(node));
    }

    @Test
    void programsGetTheSameAsJson() throws IOException {
        Files.delete(folder.resolve("A-0/tree/sub/deep/.hidden"));
        assertThat(verify(false, OutputFormat.JSON)).containsOnly(7);
        assertThat(output.lines).hasSize(1);
        String damaged = output.lines.get(0);
        assertThat(ReportSchema.problems(damaged, "verify.schema.json")).isEmpty();
        assertThat(damaged)
                .contains("\"status\" : \"damaged\"", "\"exit_code\" : 7", "tree/sub/deep/.hidden: is missing")
                .doesNotContain("repaired_from");

        assertThat(verify(true, OutputFormat.JSON)).containsOnly(0);
        assertThat(output.lines).hasSize(1);
        assertThat(ReportSchema.problems(output.lines.get(0), "verify.schema.json"))
                .isEmpty();
        assertThat(output.lines.get(0)).contains("\"repaired_from\" : \"A-1\"", "\"exit_code\" : 0");
    }

    @Test
    void programsGetTheReasonOfAFailure() throws IOException {
        Path report = folder.resolve("report.json");
        RecordedOutput ofFailure = new RecordedOutput();
        VerifyRequest request = new VerifyRequest(
                folder + "/nothing/{node}", true, false, folder.resolve("state"), OutputFormat.JSON, report, null);

        assertThat(new VerifyProcess(request, ofFailure).runLocally(2, 2, options -> options))
                .isEqualTo(3);
        assertThat(ofFailure.lines).hasSize(1);
        String failed = ofFailure.lines.get(0);
        assertThat(ReportSchema.problems(failed, "verify.schema.json")).isEmpty();
        assertThat(failed)
                .contains(
                        "\"status\" : \"failed\"", "\"exit_code\" : 3", "\"reason\" : \"source\"", "nothing is known");
        assertThat(Files.readString(report)).isEqualTo(failed + "\n");
        assertThat(ofFailure.errors).singleElement().asString().contains("nothing is known");
    }

    @Test
    void programsGetTheCopiesAlsoIfTheFileCannotBeWritten() throws IOException {
        Path gone = Files.createDirectory(folder.resolve("gone"));
        RecordedOutput ofFailure = new RecordedOutput() {
            @Override
            public void progress(JobProgress shown) {
                if (shown.nodesDone() > 0) {
                    delete(gone);
                }
            }
        };
        VerifyRequest request = new VerifyRequest(
                folder + "/{node}",
                true,
                false,
                folder.resolve("state"),
                OutputFormat.JSON,
                gone.resolve("report.json"),
                null);

        assertThat(new VerifyProcess(request, ofFailure).runLocally(2, 2, options -> options))
                .isEqualTo(6);
        String failed = ofFailure.text();
        assertThat(ReportSchema.problems(failed, "verify.schema.json")).isEmpty();
        assertThat(failed).contains("\"status\" : \"failed\"", "\"phase\" : \"report\"", "\"name\" : \"B-1\"");
    }

    private static void delete(Path emptyFolder) {
        try {
            Files.deleteIfExists(emptyFolder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void progressEndsWhenAllNodesHaveReadAllTheirBytes() {
        verify(false);
        JobProgress last = output.progress.get(output.progress.size() - 1);
        assertThat(last.bytesDone()).isEqualTo(last.bytesTotal()).isPositive();
        assertThat(last.nodesDone()).isEqualTo(4);
        assertThat(output.starts).as("copies may differ in size").containsExactly(JobProgress.UNKNOWN);
        assertThat(output.progress).extracting(JobProgress::bytesDone).isSorted();
    }

    @Test
    void readingEndsAtTheDeadlineOnAllNodes() {
        AtomicLong clock = new AtomicLong();
        TimeLimit passed = TimeLimit.in(
                Duration.ofSeconds(3),
                () -> clock.getAndAdd(Duration.ofSeconds(5).toNanos()));
        VerifyRequest request = new VerifyRequest(
                folder + "/{node}", true, false, folder.resolve("state"), OutputFormat.TEXT, null, passed);
        Map<Integer, RobberException> failures = new ConcurrentSkipListMap<>();
        try (LocalJob job = Robber.local(2, 2)) {
            job.run(world -> {
                try {
                    new Verification(request, world, output, new VerifyProgress(output, 4), new VerifyReport()).run();
                } catch (RobberException e) {
                    failures.put(world.rank(), e);
                }
            });
        }
        assertThat(failures).containsOnlyKeys(0, 1, 2, 3);
        assertThat(failures.values()).allSatisfy(failure -> {
            assertThat(failure.reason()).isEqualTo(Reason.DEADLINE);
            assertThat(failure).hasMessageContaining("'verify' did not end in 3.0 s");
        });
    }

    @Test
    void aPlaceWithoutCopiesIsToldFromADamagedOne() {
        VerifyRequest request = new VerifyRequest(
                folder + "/tree", true, false, folder.resolve("state"), OutputFormat.TEXT, null, null);
        LocalJob job = Robber.local(1, 1);
        assertThatThrownBy(() -> job.run(world -> new Verification(
                                request, world, output, new VerifyProgress(output, 4), new VerifyReport())
                        .run()))
                .isInstanceOfSatisfying(
                        RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.SOURCE))
                .hasMessageContaining("nothing is known of a copy in ");
        job.close();
    }
}

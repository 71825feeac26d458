package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.robber.cli.report.ReportSchema;

/** Everything is killed in the middle, and the same command goes on. */
@Execution(ExecutionMode.CONCURRENT)
class ResumeIT {

    private static final int PIECES = 128;
    private static final int PIECE_BYTES = 1 << 15;
    private static final long BYTES = (long) PIECES * PIECE_BYTES;
    /** Number, digest of 8 bytes, checksum. */
    private static final int RECORD_BYTES = 16;

    /** No node sends all pieces in less than 4 s. */
    private static final int BYTES_PER_SECOND = 1 << 20;

    private static final List<String> RECEIVERS = List.of("A-1", "B-0", "B-1");
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

    @TempDir
    Path folder;

    @Test
    @Tag("smoke")
    void whatIsThereIsNotSentAgain() throws Exception {
        Path source = Trees.makeLarge(folder.resolve("source/large"), BYTES).getParent();
        killHalfway();
        int before = 0;
        for (String node : RECEIVERS) {
            before += records(node);
        }
        assertThat(before).isGreaterThanOrEqualTo(PIECES);
        // one bit is not what it was
        Path staged = staging("A-1").resolve("tree/source/large");
        try (RandomAccessFile file = new RandomAccessFile(staged.toFile(), "rw")) {
            file.seek(firstPiece("A-1") * (long) PIECE_BYTES + 17);
            file.write(4);
        }

        Path report = folder.resolve("report.json");
        try (Launched run = replicate("--report=" + report)) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("reused: ");
            assertThat(run.err()).contains("A-1: robber-cli: warn: 1 of ", "damaged");
        }
        for (String node : List.of("A-0", "A-1", "B-0", "B-1")) {
            Trees.assertSame(source, folder.resolve("dest").resolve(node).resolve("source"));
            assertThat(Trees.names(folder.resolve("dest").resolve(node)))
                    .noneMatch(name -> name.startsWith(".robber-"));
        }
        String told = Files.readString(report);
        assertThat(ReportSchema.problems(told)).isEmpty();
        long received = sum(told, "bytes_received_local") + sum(told, "bytes_received_wan");
        long lacked = RECEIVERS.size() * BYTES - (long) before * PIECE_BYTES;
        assertThat(received - lacked)
                .as("bytes sent again; %s of %s pieces were there", before, PIECES * RECEIVERS.size())
                .isBetween(0L, before * (long) PIECE_BYTES / 50);
        assertThat(sum(told, "bytes_reused")).isGreaterThan(before * (long) PIECE_BYTES * 98 / 100);
    }

    /** Half of the pieces are those of the old version, and right; those of the changed ones are sent. */
    @Test
    void whatIsLeftOfAnotherVersionOfTheSourceIsCompared() throws Exception {
        Path source = Trees.makeLarge(folder.resolve("source/large"), BYTES).getParent();
        killHalfway();
        try (RandomAccessFile large =
                new RandomAccessFile(source.resolve("large").toFile(), "rw")) {
            large.writeInt(77);
        }
        Files.writeString(source.resolve("new"), "another file");

        try (Launched run = replicate()) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("reused: ");
        }
        for (String node : List.of("A-0", "A-1", "B-0", "B-1")) {
            Trees.assertSame(source, folder.resolve("dest").resolve(node).resolve("source"));
            assertThat(Trees.names(folder.resolve("dest").resolve(node)))
                    .noneMatch(name -> name.startsWith(".robber-"));
        }
    }

    /** A stopped node keeps the job from ending; all processes die when half of all pieces have come. */
    private void killHalfway() throws Exception {
        try (Launched run = replicate("--bwlimit=" + BYTES_PER_SECOND, "--progress=json")) {
            run.awaitSaid("\"type\":\"started\"", LIMIT_NANOS);
            Launched.signal("STOP", run.node(3).pid());
            assertThat(records("B-1")).as("pieces at the node that was stopped").isLessThan(PIECES);
            await(() -> records("A-1") > 0 && records("A-1") + records("B-0") >= PIECES);
            killAll(run);
        }
    }

    private static void killAll(Launched run) throws Exception {
        List<ProcessHandle> nodes = run.nodes();
        Launched.signal("KILL", run.processId());
        for (ProcessHandle node : nodes) {
            Launched.signal("KILL", node.pid());
        }
        run.exitCode();
        await(() -> run.survivors().isEmpty());
    }

    private Launched replicate(String... options) throws IOException {
        String[] arguments = new String[options.length + 5];
        arguments[0] = "replicate";
        arguments[1] = "--local=2x2";
        arguments[2] = "--piece-size=32K";
        System.arraycopy(options, 0, arguments, 3, options.length);
        arguments[options.length + 3] = folder.resolve("source").toString();
        arguments[options.length + 4] = folder.resolve("dest").toString();
        return Launched.start(folder, Map.of(), arguments);
    }

    private Path staging(String node) throws IOException {
        try (DirectoryStream<Path> found =
                Files.newDirectoryStream(folder.resolve("dest").resolve(node), ".robber-*.partial")) {
            return found.iterator().next();
        }
    }

    /** How many pieces the node's journal names. */
    private int records(String node) throws IOException {
        if (Files.notExists(folder.resolve("dest").resolve(node))) {
            return 0;
        }
        try {
            Path journal = staging(node).resolve("journal");
            return (int) ((Files.size(journal) - headBytes(journal)) / RECORD_BYTES);
        } catch (IOException | NoSuchElementException e) {
            // it is about to begin
            return 0;
        }
    }

    /** The number in the first record. */
    private int firstPiece(String node) throws IOException {
        Path journal = staging(node).resolve("journal");
        try (RandomAccessFile file = new RandomAccessFile(journal.toFile(), "r")) {
            file.seek(headBytes(journal));
            return file.readInt();
        }
    }

    private static long headBytes(Path journal) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(journal.toFile(), "r")) {
            file.seek(5);
            return 5L + 4 + file.readInt() + 4;
        }
    }

    private static long sum(String report, String field) {
        long sum = 0;
        Matcher found = Pattern.compile("\"" + field + "\" : (\\d+)")
                .matcher(report.substring(0, report.indexOf("\"clusters\"")));
        while (found.find()) {
            sum += Long.parseLong(found.group(1));
        }
        return sum;
    }

    private static void await(Condition condition) throws Exception {
        long end = System.nanoTime() + LIMIT_NANOS;
        while (!condition.holds()) {
            assertThat(System.nanoTime()).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    @FunctionalInterface
    private interface Condition {
        boolean holds() throws Exception;
    }
}

package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.robber.cli.filter.Selection;
import org.robber.cli.source.Root;

/** The same command again, as processes: what they open, send, and force to the disk. */
@Execution(ExecutionMode.CONCURRENT)
class CopyAgainIT {

    private static final Path STRACE = Path.of("/usr/bin/strace");

    @TempDir
    Path folder;

    @Test
    void unchangedFilesAreNotEvenOpened() throws Exception {
        assumeThat(STRACE).isExecutable();
        Path source = Trees.makeLarge(folder.resolve("tree/middle"), 1 << 20).getParent();
        Trees.makeLarge(source.resolve("unchanged"), 1 << 20);
        Files.writeString(source.resolve("a"), "one");
        List<String> first = traced("openat", source);
        assertThat(first).as("the trace sees them").anyMatch(call -> call.contains("unchanged\""));
        Files.writeString(source.resolve("a"), "other");

        List<String> opened = traced("openat", source);
        assertThat(opened).anyMatch(call -> call.contains("\"a\""));
        assertThat(opened).noneMatch(call -> call.contains("unchanged\""));
        assertCopies(source);
    }

    @Test
    void filesAreOnTheDiskBeforeTheyGetTheirNames() throws Exception {
        assumeThat(STRACE).isExecutable();
        Path source = Files.createDirectories(folder.resolve("tree/sub")).getParent();
        for (String name : List.of("one", "two", "sub/three")) {
            Files.writeString(source.resolve(name), name);
        }
        assertThat(traced("fsync,fdatasync", source)).isEmpty();

        Files.writeString(source.resolve("one"), "another");
        List<String> calls = traced("fsync,fdatasync,rename", source, "--fsync", "--checksum");
        long copies = 2;
        assertThat(calls.stream().filter(call -> call.contains("fsync(")).count())
                .as("three files, two directories and DEST of each copy")
                .isEqualTo(copies * (3 + 2 + 1));
        List<String> ofOne = calls.stream()
                .filter(call -> call.contains("fsync(") || call.contains("one\""))
                .toList();
        assertThat(ofOne.get(0)).contains("fsync(");
        assertThat(ofOne).anyMatch(call -> call.contains("rename(") && call.contains("one\""));
        assertCopies(source);
    }

    /** The run before was killed when the file had its name, and before the rest was removed. */
    @Test
    void nothingIsLeftBesideAFileThatIsInItsPlace() throws Exception {
        Path source = Trees.makeLarge(folder.resolve("file"), 1 << 20);
        replicate(source);
        String key = Root.scan(List.of(source.toString()), Selection.all(), "")
                .facts(false)
                .copyKey();
        Path copy = folder.resolve("dest/A-1");
        Path left = Files.createDirectory(
                copy.resolve(".robber-" + key + ".partial"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.createDirectory(left.resolve("tree"));

        assertThat(replicate(source)).contains("unchanged: ");
        assertThat(Trees.names(copy)).containsExactly("file");
    }

    @Test
    void nodesStartFromDifferentStates() throws Exception {
        Path source = Trees.make(folder.resolve("tree"), 6);
        replicate(source);
        Files.move(folder.resolve("dest/A-1"), folder.resolve("gone"));
        Path damaged = folder.resolve("dest/B-0/tree/large");
        FileTime time = Files.getLastModifiedTime(damaged);
        try (RandomAccessFile file = new RandomAccessFile(damaged.toFile(), "rw")) {
            file.seek(1_000_000);
            file.write(new byte[] {1, 2, 3});
        }
        Files.setLastModifiedTime(damaged, time);
        Files.writeString(source.resolve("a"), "changed since");
        assertThat(replicate(source)).contains("complete: 4 of 4 nodes");
        for (String node : List.of("A-0", "A-1", "B-0", "B-1")) {
            Trees.assertSame(source, folder.resolve("dest").resolve(node).resolve("tree"));
        }
        try (Launched verify =
                start("verify", "--local=2x2", folder.resolve("dest").toString())) {
            assertThat(verify.exitCode()).as(verify.out() + verify.err()).isZero();
        }
    }

    @Test
    void verifyFindsWhatHasBecomeDamagedSinceItCameInAnEarlierRun() throws Exception {
        Path source = Trees.make(folder.resolve("tree"), 7);
        replicate(source);
        Files.writeString(source.resolve("a"), "changed since");
        assertThat(replicate(source)).contains("unchanged: ");
        Path damaged = folder.resolve("dest/B-0/tree/large");
        FileTime time = Files.getLastModifiedTime(damaged);
        try (RandomAccessFile file = new RandomAccessFile(damaged.toFile(), "rw")) {
            file.seek(1_000_000);
            file.write(new byte[] {1, 2, 3});
        }
        Files.setLastModifiedTime(damaged, time);
        try (Launched verify =
                start("verify", "--local=2x2", folder.resolve("dest").toString())) {
            assertThat(verify.exitCode()).as(verify.out() + verify.err()).isEqualTo(7);
            assertThat(verify.out()).contains("large: ");
        }
        try (Launched verify = start(
                "verify",
                "--local=2x2",
                "--repair",
                "--bwlimit=1M",
                "--nice",
                folder.resolve("dest").toString())) {
            assertThat(verify.exitCode()).as(verify.out() + verify.err()).isZero();
            assertThat(verify.out()).contains("repaired from A-0");
        }
        Trees.assertSame(source, folder.resolve("dest/B-0/tree"));
    }

    /** Both sources have a file {@code large}. */
    @Test
    void eachFileIsVerifiedAndRepairedAsItCameLast() throws Exception {
        Path first = Trees.make(folder.resolve("tree"), 8);
        replicate(first);
        Path second =
                Trees.makeLarge(folder.resolve("other/tree/large"), 1 << 20).getParent();
        replicate(second);
        Path copied = folder.resolve("dest/B-0/tree/large");
        try (Launched verify = verify()) {
            assertThat(verify.exitCode()).as(verify.out() + verify.err()).isZero();
            assertThat(verify.out()).contains("files replaced by later copies: 1");
        }
        Files.copy(first.resolve("large"), copied, StandardCopyOption.REPLACE_EXISTING);
        try (Launched verify = verify()) {
            assertThat(verify.exitCode()).as(verify.out() + verify.err()).isEqualTo(7);
        }
        try (Launched verify = verify("--repair")) {
            assertThat(verify.exitCode()).as(verify.out() + verify.err()).isZero();
        }
        for (String node : List.of("A-0", "A-1", "B-0", "B-1")) {
            assertThat(folder.resolve("dest").resolve(node).resolve("tree/large"))
                    .hasSameBinaryContentAs(second.resolve("large"));
        }
        replicate(first);
        try (Launched verify = verify()) {
            assertThat(verify.exitCode()).as(verify.out() + verify.err()).isZero();
        }
        Trees.assertSame(first, folder.resolve("dest/B-0/tree"));
    }

    private Launched verify(String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("verify", "--local=2x2"));
        arguments.addAll(List.of(options));
        arguments.add(folder.resolve("dest").toString());
        return start(arguments.toArray(String[]::new));
    }

    private String replicate(Path source, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("replicate", "--local=2x2"));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of(source.toString(), folder.resolve("dest").toString()));
        try (Launched run = start(arguments.toArray(String[]::new))) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            return run.out();
        }
    }

    private Launched start(String... arguments) throws IOException {
        return Launched.start(folder, Map.of(), arguments);
    }

    /** Copies to two nodes; returns the system calls of all processes. */
    private List<String> traced(String calls, Path source, String... options) throws Exception {
        Path trace = Files.createTempFile(folder, "trace", ".txt");
        List<String> command = new ArrayList<>(List.of(
                STRACE.toString(),
                "-f",
                "-qq",
                "-e",
                "trace=" + calls,
                "-e",
                "signal=none",
                "-o",
                trace.toString(),
                Launched.script().toString(),
                "replicate",
                "--local=1x2"));
        command.addAll(List.of(options));
        command.addAll(List.of(source.toString(), folder.resolve("dest").toString()));
        try (Launched run = Launched.command(folder, Map.of(), command)) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        try (Stream<String> lines = Files.lines(trace)) {
            return lines.filter(line -> !line.contains("resumed")).toList();
        }
    }

    private void assertCopies(Path source) throws IOException {
        for (String node : List.of("A-0", "A-1")) {
            Trees.assertSame(source, folder.resolve("dest").resolve(node).resolve("tree"));
        }
    }
}

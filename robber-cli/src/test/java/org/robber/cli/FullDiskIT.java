package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.robber.cli.filter.Selection;
import org.robber.cli.source.Root;

/** Destinations that fill up: a file system of its own size, mounted in a namespace of its own. */
@Execution(ExecutionMode.CONCURRENT)
class FullDiskIT {
    private static final long BYTES = 16L << 20;

    /** Takes 4 s at {@link #SLOW_BYTES_PER_SECOND}, so that the transfer is caught in the middle. */
    private static final long SLOW_BYTES = 4L << 20;

    private static final long SLOW_BYTES_PER_SECOND = 1L << 20;

    /** Mounts $2 with the options $1, runs the rest, and lists what is there then to $3. */
    private static final String MOUNTED =
            "mount -t tmpfs -o \"$1\" tmpfs \"$2\" || exit 99; place=$2; list=$3; shift 3;"
                    + " code=0; \"$@\" || code=$?; find \"$place\" -mindepth 1 >\"$list\"; exit $code";

    @TempDir
    Path folder;

    private Path dest;

    @BeforeEach
    void needsAPrivateMount() throws Exception {
        dest = Files.createDirectory(folder.resolve("dest"));
        Launched probe = Launched.command(folder, Map.of(), mounted("size=1M", dest, List.of("true")));
        assumeThat(probe.exitCode())
                .as("root may mount in a namespace of its own: %s", probe.err())
                .isZero();
    }

    @Test
    void aNodeWhoseDiskFillsUpInTheMiddleEndsAndTheOthersGoOn() throws Exception {
        Path source = folder.resolve("source");
        for (int i = 0; i < 400; i++) {
            Trees.makeLarge(source.resolve("file-" + i), 100);
        }
        // Room for all bytes, and not for a page a file: no node can know that beforehand.
        Path own = Files.createDirectory(dest.resolve("A-1"));
        try (Launched run = replicate("size=1M", own, source, "--piece-size=4K")) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(23);
            assertThat(run.err()).contains("robber-cli: error: ", "No space left on device; free some space");
            assertThat(run.out()).contains("failed A-1 (destination, during 'transfer'", "partial: 2 of 3 nodes");
        }
        assertThat(left()).allMatch(name -> name.contains("/.robber-"));
        Trees.assertSame(source, dest.resolve("A-0/source"));
        Trees.assertSame(source, dest.resolve("A-2/source"));
    }

    @Test
    void aDiskThatHasRoomForSomeNodesOnlyIsRefusedBeforeAnythingIsSent() throws Exception {
        Path large = Trees.makeLarge(folder.resolve("source/large"), BYTES);
        try (Launched run = replicate("size=40M", dest, large)) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(6);
            assertThat(run.err())
                    .contains("robber-cli: error: ", "not enough space at ", "48.0 MiB needed by 3 nodes", " free; ");
        }
        assertThat(left()).isEmpty();
    }

    @Test
    void theOneNodeWithoutRoomIsNamedBeforeAnythingIsSentAndTheOthersGoOn() throws Exception {
        Path large = Trees.makeLarge(folder.resolve("source/large"), BYTES);
        Path own = Files.createDirectory(dest.resolve("A-1"));
        try (Launched run = replicate("size=8M", own, large)) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(23);
            assertThat(run.err()).contains("robber-cli: error: ", "A-1 (rank 1", "not enough space", "16777216 bytes");
        }
        assertThat(left()).isEmpty();
        assertThat(Trees.names(dest)).containsExactly("A-0", "A-0/large", "A-1", "A-2", "A-2/large");
    }

    /** Each part has room, and both together have not. */
    @Test
    void aNodeWithoutRoomForAllPartsIsNamedBeforeAnythingIsSent() throws Exception {
        Trees.makeLarge(folder.resolve("part-0/first"), BYTES);
        Trees.makeLarge(folder.resolve("part-1/second"), BYTES);
        Path own = Files.createDirectory(dest.resolve("A-2"));
        try (Launched run = replicate("size=24M", own, folder.resolve("part-{rank}"), "--root=0,1")) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(23);
            assertThat(run.err()).contains("not enough space at ", "32.0 MiB needed by A-2", "24.0 MiB free");
        }
        assertThat(left()).isEmpty();
        assertThat(Trees.names(dest.resolve("A-0"))).contains("part-0/first", "part-1/second");
    }

    /** The space that counts is the one that is free when the half-written copy is gone. */
    @Test
    void aJobThatBeginsAnewMayUseTheSpaceOfWhatIsLeft() throws Exception {
        Path source = Trees.makeLarge(folder.resolve("source/large"), BYTES).getParent();
        Path own = Files.createDirectory(dest.resolve("A-1"));
        String key = Root.scan(List.of(source.toString()), Selection.all(), "")
                .facts(false)
                .copyKey();
        String leaving = "umask 077 && mkdir -p \"$1/tree\" && head -c " + BYTES
                + " /dev/zero >\"$1/tree/large\" && shift && exec \"$@\"";
        List<String> command =
                new ArrayList<>(List.of("sh", "-c", leaving, "sh", own + "/.robber-" + key + ".partial"));
        command.addAll(List.of(Launched.script().toString(), "replicate", "--local=1x3", "--restart"));
        command.addAll(List.of(source.toString(), dest.toString()));
        try (Launched run = Launched.command(folder, Map.of(), mounted("size=24M", own, command))) {
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        assertThat(left()).contains(own + "/source/large");
    }

    /** What the kernel does to a file system on which it has met an error: what is open for writing is so no longer. */
    @Test
    void aDiskThatBecomesReadOnlyInTheMiddleEndsItsNodeAndTheOthersGoOn() throws Exception {
        Path source =
                Trees.makeLarge(folder.resolve("source/large"), SLOW_BYTES).getParent();
        Path own = Files.createDirectory(dest.resolve("A-1"));
        Path image = folder.resolve("image");
        needsADiskThatCanFail(image, own);
        makeDisk(image);
        try (Launched run = onDisk(image, own, source)) {
            makeReadOnly(run, own);
            assertThat(run.exitCode()).as(run.err()).isEqualTo(23);
            assertThat(run.err()).contains("robber-cli: error: ", "Read-only file system");
            assertThat(run.out()).contains("failed A-1 (destination, during '", "partial: 2 of 3 nodes");
        }
        Trees.assertSame(source, dest.resolve("A-0/source"));
        Trees.assertSame(source, dest.resolve("A-2/source"));
    }

    private void makeDisk(Path image) throws Exception {
        Files.deleteIfExists(image);
        Trees.makeLarge(image, 4 * BYTES);
        Process make = new ProcessBuilder("sh", "-c", "mkfs.ext4 -q -F '" + image + "'")
                .redirectErrorStream(true)
                .start();
        assumeThat(make.waitFor()).as("mkfs.ext4 is here").isZero();
    }

    /** Containers may have no loop devices, or show what the kernel tells of file systems for reading only. */
    private void needsADiskThatCanFail(Path image, Path own) throws Exception {
        makeDisk(image);
        String canFail =
                "for file in /sys/fs/ext4/loop*/trigger_fs_error; do test -w \"$file\" && exit 0; done; exit 1";
        Launched probe = Launched.command(folder, Map.of(), mountedLoop(image, own, List.of("sh", "-c", canFail)));
        assumeThat(probe.exitCode())
                .as("an image can be mounted here and made to fail: %s", probe.err())
                .isZero();
    }

    /** Makes the disk read-only while its node is stopped in the middle of the transfer. */
    private static void makeReadOnly(Launched run, Path own) throws Exception {
        run.awaitSaid("\"type\":\"started\"", TimeUnit.SECONDS.toNanos(60));
        ProcessHandle node = run.node(1);
        Launched.signal("STOP", node.pid());
        Path seen = Path.of("/proc/" + node.pid() + "/root" + own);
        assertThat(seen.resolve("source")).as("a copy that is in place").doesNotExist();
        String device = Files.readAllLines(Path.of("/proc/" + node.pid() + "/mounts")).stream()
                .map(line -> line.split(" ", 3))
                .filter(fields -> fields[1].equals(own.toString()))
                .map(fields -> Path.of(fields[0]).getFileName().toString())
                .findFirst()
                .orElseThrow();
        try (OutputStream open = Files.newOutputStream(seen.resolve("lost+found/open"))) {
            Files.writeString(Path.of("/sys/fs/ext4", device, "trigger_fs_error"), "1");
            assumeThat(refuses(open))
                    .as("this kernel takes nothing into open files any more")
                    .isTrue();
        }
        Launched.signal("CONT", node.pid());
    }

    private static boolean refuses(OutputStream open) {
        try {
            open.write(1);
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private Launched onDisk(Path image, Path own, Path source) throws IOException {
        List<String> command = new ArrayList<>(List.of(Launched.script().toString(), "replicate", "--local=1x3"));
        command.addAll(List.of("--piece-size=32K", "--bwlimit=" + SLOW_BYTES_PER_SECOND, "--progress=json"));
        command.addAll(List.of(source.toString(), dest.toString()));
        return Launched.command(folder, Map.of(), mountedLoop(image, own, command));
    }

    /** The command with the image mounted at the place, as its own process. */
    private static List<String> mountedLoop(Path image, Path place, List<String> command) {
        String script = "mount -o loop,errors=remount-ro \"$1\" \"$2\" || exit 99; shift 2; exec \"$@\"";
        List<String> all = new ArrayList<>(List.of("unshare", "-m", "sh", "-c", script, "sh"));
        all.addAll(List.of(image.toString(), place.toString()));
        all.addAll(command);
        return all;
    }

    private Launched replicate(String options, Path mountedAt, Path source, String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(Launched.script().toString(), "replicate", "--local=1x3"));
        command.addAll(List.of(more));
        command.addAll(List.of(source.toString(), dest.toString()));
        return Launched.command(folder, Map.of(), mounted(options, mountedAt, command));
    }

    private List<String> mounted(String options, Path place, List<String> command) {
        List<String> all = new ArrayList<>(List.of("unshare", "-m", "sh", "-c", MOUNTED, "sh", options));
        all.add(place.toString());
        all.add(list().toString());
        all.addAll(command);
        return all;
    }

    private Path list() {
        return folder.resolve("list");
    }

    /** What was on the disk when the job had ended. */
    private List<String> left() throws IOException {
        return Files.readAllLines(list());
    }
}

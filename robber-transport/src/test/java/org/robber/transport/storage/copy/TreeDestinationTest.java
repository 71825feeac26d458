package org.robber.transport.storage.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.manifest.EntryAttributes;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.ManifestBuilder;
import org.robber.transport.storage.Trees;
import org.robber.transport.storage.file.FileStat;
import org.robber.transport.storage.source.ScannedTree;
import org.robber.transport.storage.source.TreeScanner;
import org.robber.transport.storage.source.TreeSource;

/** What a destination means, as with rsync, and what becomes of things that are in the way. */
class TreeDestinationTest {
    @TempDir
    Path directory;

    private Path source;
    private Path dest;

    @BeforeEach
    void makeSource() throws IOException {
        source = Files.createDirectory(directory.resolve("src"));
        Files.createDirectory(source.resolve("d"));
        Trees.write(source.resolve("d/f"), "new");
        Trees.write(source.resolve("e"), "new e");
        Files.createSymbolicLink(source.resolve("l"), Path.of("d"));
        dest = directory.resolve("dest");
    }

    private static void assertRefused(String from, String to, String message) {
        assertThatThrownBy(() -> Trees.replicate(from, to))
                .isInstanceOfSatisfying(
                        RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.DESTINATION))
                .hasMessageContaining(message);
    }

    @Test
    void aTreeGoesIntoTheDirectory() throws Exception {
        Trees.replicate(source.toString(), dest.toString());
        Trees.assertSame(dest.resolve("src"), source);
        assertThat(dest.toFile().list()).containsExactly("src");
    }

    @Test
    void contentsBecomeTheDirectory() throws Exception {
        Trees.mode(source, 0750);
        Trees.replicate(source + "/", dest.toString());
        Trees.assertSame(dest, source);

        Path existing = Files.createDirectory(directory.resolve("existing"));
        Trees.write(existing.resolve("other"), "stays");
        Trees.replicate(source + "/", existing + "/");
        assertThat(existing.resolve("other")).hasContent("stays");
        assertThat(existing.resolve("d/f")).hasContent("new");
        assertThat(FileStat.of(existing).attributes())
                .isEqualTo(FileStat.of(source).attributes());
    }

    @Test
    void aFileGoesIntoADirectoryOrTakesTheName() throws Exception {
        String file = source.resolve("e").toString();
        Trees.replicate(file, dest.toString());
        assertThat(dest).hasContent("new e");
        Trees.write(dest, "old");
        Trees.replicate(file, dest.toString());
        assertThat(dest).hasContent("new e");

        Path existing = Files.createDirectory(directory.resolve("existing"));
        Trees.replicate(file, existing.toString());
        assertThat(existing.resolve("e")).hasContent("new e");
        Trees.replicate(file, directory + "/made/");
        assertThat(directory.resolve("made/e")).hasContent("new e");
        Trees.replicate(
                source.resolve("l").toString(), directory.resolve("link").toString());
        assertThat(Files.readSymbolicLink(directory.resolve("link"))).isEqualTo(Path.of("d"));
        assertThat(directory.toFile().list())
                .as("nothing is left over")
                .containsExactlyInAnyOrder("src", "dest", "existing", "made", "link");
    }

    @Test
    void aFileReplacesALinkAndNotItsTarget() throws Exception {
        Path outside = Trees.write(directory.resolve("outside"), "untouched");
        Files.createSymbolicLink(dest, outside);
        Trees.replicate(source.resolve("e").toString(), dest.toString());
        assertThat(outside).hasContent("untouched");
        assertThat(Files.isSymbolicLink(dest)).isFalse();
        assertThat(dest).hasContent("new e");
    }

    @Test
    void aDestinationMayBeALinkToADirectory() throws Exception {
        Path real = Files.createDirectory(directory.resolve("real"));
        Files.createSymbolicLink(dest, real);
        Trees.replicate(source + "/", dest.toString());
        Trees.assertSame(real, source);
        assertThat(Files.isSymbolicLink(dest)).isTrue();
    }

    @Test
    void onlyTheLastDirectoryIsMade() {
        assertRefused(source.toString(), dest + "/a/b", "there is no directory " + dest + "/a; make it first");
        assertRefused(source.resolve("e").toString(), dest + "/e", "there is no directory " + dest);
        assertThat(dest).doesNotExist();
    }

    @Test
    void aLinkThatLeadsNowhereIsNamed() throws IOException {
        Files.createSymbolicLink(dest, directory.resolve("nowhere"));
        assertRefused(source.toString(), dest.toString(), dest + " is a link that leads nowhere");
        assertRefused(source.toString(), dest + "/x", dest + " is a link that leads nowhere");
    }

    @Test
    void aFileIsNoPlaceForATree() throws IOException {
        Trees.write(dest, "file");
        assertRefused(source.toString(), dest.toString(), "is a file, not a directory");
        assertRefused(source.resolve("e").toString(), dest + "/", "not a directory");
        assertRefused(source.resolve("e").toString(), dest + "/x", "ot a directory");
        assertRefused(source.toString(), "a\0b", "bad destination");
        assertThat(dest).hasContent("file");
    }

    @Test
    void existingDirectoriesAreMergedWith() throws Exception {
        Files.createDirectories(dest.resolve("src/d"));
        Trees.write(dest.resolve("src/d/f"), "old");
        Trees.write(dest.resolve("src/d/other"), "stays");
        Trees.mode(dest.resolve("src/d"), 0500);
        Trees.mode(source.resolve("d"), 0511);
        Trees.replicate(source.toString(), dest.toString());

        assertThat(dest.resolve("src/d/f")).hasContent("new");
        assertThat(dest.resolve("src/d/other")).hasContent("stays");
        assertThat(FileStat.of(dest.resolve("src/d")).attributes())
                .isEqualTo(FileStat.of(source.resolve("d")).attributes());
        assertThat(FileStat.of(dest.resolve("src")).attributes())
                .isEqualTo(FileStat.of(source).attributes());
        Trees.replicate(source.toString(), dest.toString());
        assertThat(dest.resolve("src/d/other")).hasContent("stays");
        Trees.mode(source.resolve("d"), 0700);
        Trees.mode(dest.resolve("src/d"), 0700);
    }

    @Test
    void plantedLinksAreReplacedAndNeverFollowed() throws Exception {
        Path outside = Files.createDirectory(directory.resolve("outside"));
        Path victim = Trees.write(outside.resolve("f"), "untouched");
        Files.createDirectories(dest.resolve("src"));
        Files.createSymbolicLink(dest.resolve("src/d"), outside);
        Files.createSymbolicLink(dest.resolve("src/e"), victim);
        Files.createSymbolicLink(dest.resolve("src/l"), outside);
        Trees.replicate(source.toString(), dest.toString());

        assertThat(victim).hasContent("untouched");
        assertThat(outside.toFile().list()).containsExactly("f");
        Trees.assertSame(dest.resolve("src"), source);

        Files.delete(dest.resolve("src/l"));
        Trees.run(dest, "rm", "-r", "src");
        Files.createSymbolicLink(dest.resolve("src"), outside);
        Trees.replicate(source.toString(), dest.toString());
        assertThat(outside.toFile().list()).containsExactly("f");
        Trees.assertSame(dest.resolve("src"), source);
    }

    @Test
    void linksOfTheTreeItselfLeadNoWriterAstray() throws Exception {
        Path outside = Files.createDirectory(directory.resolve("outside"));
        Path first = Files.createDirectory(directory.resolve("first"));
        Files.createSymbolicLink(first.resolve("a"), outside);
        Path second = Files.createDirectory(directory.resolve("second"));
        Files.createDirectory(second.resolve("a"));
        Trees.write(second.resolve("a/f"), "x");

        Trees.replicate(first + "/", dest.toString());
        assertThat(Files.readSymbolicLink(dest.resolve("a"))).isEqualTo(outside);
        Trees.replicate(second + "/", dest.toString());
        Trees.assertSame(dest, second);
        assertThat(outside).isEmptyDirectory();
    }

    @Test
    void filesGiveWayToDirectories() throws Exception {
        Files.createDirectories(dest.resolve("src"));
        Trees.write(dest.resolve("src/d"), "a file");
        Files.createDirectory(dest.resolve("src/e"));
        Trees.replicate(source.toString(), dest.toString());
        Trees.assertSame(dest.resolve("src"), source);
    }

    @Test
    void directoriesWithContentsDoNotGiveWay() throws Exception {
        Files.createDirectories(dest.resolve("src/e/precious"));
        assertRefused(source.toString(), dest.toString(), "src/e is a directory with contents where a file");
        assertThat(dest.resolve("src/e/precious")).isDirectory();
        assertThat(dest.resolve("src").toFile().list()).containsExactly("e");
        assertThat(dest.toFile().list()).containsExactly("src");
    }

    @Test
    void anObstacleThatAppearsLaterStopsTheCommit() throws Exception {
        ScannedTree tree = TreeScanner.scan(source.toString());
        try (TreeSource from = new TreeSource(tree);
                TreeTarget to = Trees.target(dest.toString(), tree.manifest(), "j")) {
            Trees.copy(from, to, 100, 1, 1);
            Files.createDirectories(dest.resolve("src/e/precious"));
            assertThatThrownBy(() -> to.commit(null))
                    .isInstanceOf(RobberException.class)
                    .hasMessageContaining("src/e is a directory with contents");
        }
        assertThat(dest.resolve("src/e/precious")).isDirectory();
        assertThat(dest.toFile().list()).containsExactly("src");
    }

    @Test
    void twoJobsMayPutTheSameTreeInOnePlaceAtOnce() throws Exception {
        ScannedTree tree = TreeScanner.scan(source.toString());
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < 25; round++) {
                Path place = directory.resolve("round-" + round);
                CyclicBarrier together = new CyclicBarrier(2);
                for (Future<Void> done : threads.invokeAll(
                        List.of(job("one", tree, place, together), job("other", tree, place, together)))) {
                    done.get();
                }
                assertThat(place.toFile().list()).containsExactly("src");
                Trees.assertSame(place.resolve("src"), source);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static Callable<Void> job(String id, ScannedTree tree, Path place, CyclicBarrier together) {
        return () -> {
            together.await();
            try (TreeSource from = new TreeSource(tree);
                    TreeTarget to = Trees.target(place.toString(), tree.manifest(), id)) {
                Trees.copy(from, to, 100, 1, 1);
                together.await();
                to.commit(null);
            }
            return null;
        };
    }

    @Test
    void aDestinationWithoutTheRightToWriteIsNamed() throws Exception {
        assumeFalse(Trees.isRoot(), "root may write everywhere");
        Files.createDirectory(dest);
        Trees.mode(dest, 0500);
        assertRefused(source.toString(), dest.toString(), "permission denied; give this user the right to write there");
        Trees.mode(dest, 0700);
    }

    @Test
    void aFullDestinationIsNamed() throws Exception {
        assumeTrue(Trees.isRoot(), "only root may mount");
        Files.createDirectory(dest);
        assumeTrue(new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=256k", "none", dest.toString())
                        .start()
                        .waitFor()
                == 0);
        try {
            var manifest = new ManifestBuilder()
                    .file(Trees.bytes("a"), new EntryAttributes(0644, 0, 0), 100_000)
                    .file(Trees.bytes("b"), new EntryAttributes(0644, 0, 0), 100_000)
                    .build();
            try (TreeTarget target = Trees.target(dest.toString(), manifest, "j")) {
                target.write(0, ByteBuffer.allocate(100_000));
                Files.write(dest.resolve("neighbour"), new byte[120_000]);
                assertThatThrownBy(() -> target.write(100_000, ByteBuffer.allocate(100_000)))
                        .isInstanceOfSatisfying(
                                RobberException.class,
                                e -> assertThat(e.reason()).isEqualTo(Reason.DESTINATION))
                        .hasMessageContaining("cannot write " + dest.resolve("b"))
                        .hasMessageContaining("No space left on device; free some space");
            }
            assertThat(dest.toFile().list()).containsExactly("neighbour");
            Files.write(source.resolve("e"), new byte[300_000]);
            assertRefused(source.toString(), dest.toString(), "not enough space");
            assertThat(dest.toFile().list()).containsExactly("neighbour");
        } finally {
            Trees.run(directory, "umount", dest.toString());
        }
    }

    /** A disk that is gone: a file system on a file, shut down as the kernel does it after a failure. */
    @Test
    void aDiskThatFailsIsNamed() throws Exception {
        assumeTrue(Trees.isRoot(), "only root may mount");
        Files.createDirectory(dest);
        Path disk = directory.resolve("disk");
        try (var file = new RandomAccessFile(disk.toFile(), "rw")) {
            file.setLength(8 << 20);
        }
        assumeTrue(succeeds("mkfs.ext4", "-q", disk.toString()));
        assumeTrue(succeeds("mount", "-o", "loop", disk.toString(), dest.toString()));
        try {
            var manifest = new ManifestBuilder()
                    .file(Trees.bytes("a"), new EntryAttributes(0644, 0, 0), 100_000)
                    .file(Trees.bytes("b"), new EntryAttributes(0644, 0, 0), 100_000)
                    .build();
            TreeTarget target = Trees.target(dest.toString(), manifest, "j");
            target.write(0, ByteBuffer.allocate(150_000));
            String shutDown = "open my $d, '<', $ARGV[0] or die; my $flags = pack('L', 2);"
                    + " ioctl($d, 0x8004587d, $flags) or die";
            assumeTrue(succeeds("perl", "-e", shutDown, dest.toString()));

            assertThatThrownBy(() -> target.write(150_000, ByteBuffer.allocate(50_000)))
                    .isInstanceOfSatisfying(
                            RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.DESTINATION))
                    .hasMessage("cannot write " + dest.resolve("b") + ": Input/output error");
            target.close();
            assertThatThrownBy(() -> Trees.target(dest.toString(), manifest, "j"))
                    .isInstanceOfSatisfying(
                            RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.DESTINATION))
                    .hasMessageContaining("Input/output error");
        } finally {
            Trees.run(directory, "umount", dest.toString());
        }
    }

    @Test
    void aDestinationThatIsMountedForReadingIsNamed() throws Exception {
        assumeTrue(Trees.isRoot(), "only root may mount");
        Files.createDirectory(dest);
        assumeTrue(succeeds("mount", "-t", "tmpfs", "-o", "ro", "none", dest.toString()));
        try {
            assertRefused(source.toString(), dest.toString(), "Read-only file system; mount it for writing");
        } finally {
            Trees.run(directory, "umount", dest.toString());
        }
    }

    private static boolean succeeds(String... command) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            // there is no such command
            return false;
        }
    }

    /** Before anything is copied. */
    @Test
    void directoriesOfAnotherFileSystemAreRefused() {
        EntryAttributes attributes = new EntryAttributes(0755, 1, 0);
        Manifest onlyDirectory = new ManifestBuilder()
                .root(attributes)
                .directory(Trees.bytes("proc"), attributes)
                .build();
        Manifest withFile = new ManifestBuilder()
                .root(attributes)
                .directory(Trees.bytes("proc"), attributes)
                .file(Trees.bytes("of robber"), attributes, 1)
                .build();

        TreeTarget.check("/", onlyDirectory);
        assertThatThrownBy(() -> TreeTarget.check("/", withFile))
                .isInstanceOfSatisfying(RobberException.class, failure -> {
                    assertThat(failure.reason()).isEqualTo(Reason.DESTINATION);
                    assertThat(failure.phase()).isEqualTo("prepare");
                })
                .hasMessageContaining("/proc is on another file system than /");
    }

    @Test
    void anotherFileSystemInsideIsNamed() throws Exception {
        assumeTrue(Trees.isRoot(), "only root may mount");
        Path mount = Files.createDirectories(dest.resolve("src/d"));
        assumeTrue(new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=256k", "none", mount.toString())
                        .start()
                        .waitFor()
                == 0);
        try {
            assertRefused(source.toString(), dest.toString(), mount + " is on another file system than " + dest);
        } finally {
            Trees.run(directory, "umount", mount.toString());
        }
    }
}

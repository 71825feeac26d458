package org.robber.transport.storage.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.core.random.SeededRuns;
import org.robber.transport.manifest.EntryAttributes;
import org.robber.transport.storage.Trees;
import org.robber.transport.storage.file.FileStat;
import org.robber.transport.storage.file.RawPaths;
import org.robber.transport.storage.source.ScannedTree;
import org.robber.transport.storage.source.TreeScanner;
import org.robber.transport.storage.source.TreeSource;

/** Trees of all sorts, read by a source and written by a target, compared with find and diff. */
class TreeCopyTest {
    private static final long SEED = SeededRuns.firstSeed();

    @TempDir
    Path directory;

    private Path top;
    private Path copy;

    @BeforeEach
    void makeTop() throws IOException {
        top = Files.createDirectory(directory.resolve("top"));
        copy = directory.resolve("copy");
    }

    /** JUnit would resolve every path of the deep trees, and stumble over directories that may not be entered. */
    @AfterEach
    void remove() throws IOException, InterruptedException {
        Trees.run(directory, "chmod", "-R", "u+rwx", ".");
        Trees.run(directory, "rm", "-rf", "top", "copy");
    }

    private void assertCopies(int pieceBytes) throws IOException, InterruptedException {
        ScannedTree tree = TreeScanner.scan(top + "/");
        assertThat(tree.skipped()).isEmpty();
        try (TreeSource from = new TreeSource(tree);
                TreeTarget to = Trees.target(copy.toString(), tree.manifest(), "job")) {
            Trees.copy(from, to, pieceBytes, 4, SEED);
            from.verifyUnchanged();
            to.commit(null);
        }
        Trees.assertSame(copy, top);
    }

    @Test
    void oddNames() throws Exception {
        for (String name : List.of(
                "\u0080",
                "\u00ff\u00fe",
                "\u00c3\u00a9",
                "\u00e9",
                "\n",
                "a\nb",
                "-rf",
                "--",
                " ",
                "'\"\\$(x)",
                "*",
                "a%41",
                "#",
                "?",
                Trees.name255('n'),
                Trees.name255('\u00f0'))) {
            Trees.write(Trees.in(top, name), "content of " + name);
            Path inside = Files.createDirectory(Trees.in(top, "in " + name.substring(0, Math.min(9, name.length()))));
            Trees.write(Trees.in(inside, name), "2");
            Files.createSymbolicLink(Trees.in(inside, "link"), RawPaths.linkTarget(Trees.bytes("../" + name)));
        }
        assertCopies(64);
    }

    @Test
    void modes() throws Exception {
        for (int mode : new int[] {0, 0200, 0400, 0644, 0666, 0777, 01000, 01777}) {
            Path file = Trees.write(top.resolve("f" + Integer.toOctalString(mode)), "x".repeat(mode % 90));
            Trees.mode(file, mode);
            if (!Trees.isRoot() && (mode & 0400) == 0) {
                Files.delete(file);
            }
        }
        for (int mode : new int[] {0500, 0555, 0700, 0711, 0777, 01777, 02775, 03555}) {
            Path inside = Files.createDirectories(top.resolve("d" + Integer.toOctalString(mode) + "/deeper"));
            Trees.write(inside.resolve("f"), "inside");
            Trees.mode(inside, mode);
            Trees.mode(inside.getParent(), mode);
        }
        assertCopies(30);
    }

    @Test
    void times() throws Exception {
        long[] seconds = {0, 1, 946_684_800, 1_700_000_000, 4_000_000_000L};
        for (long second : seconds) {
            for (int nanos : new int[] {0, 1, 999_999_999}) {
                Path file = Trees.write(top.resolve("f" + second + "." + nanos), "x");
                Trees.mtime(file, second, nanos);
                Trees.write(top.resolve("big" + second + "." + nanos), "x".repeat(100));
                Trees.mtime(top.resolve("big" + second + "." + nanos), second, nanos);
                Path inside = Files.createDirectory(top.resolve("d" + second + "." + nanos));
                Trees.write(inside.resolve("f"), "");
                Trees.mtime(inside.resolve("f"), second, nanos);
                Trees.mtime(inside, second, nanos);
            }
            Path link = Files.createSymbolicLink(top.resolve("l" + second), Path.of("x"));
            Trees.mtime(link, second, 123_456_000);
        }
        Trees.mtime(top, 1_000_000_007, 77);
        assertCopies(40);
    }

    /** The JDK would set the time 0 in their place. */
    @Test
    void timesBefore1970LoseTheirFractions() throws Exception {
        Path file = Trees.write(top.resolve("f"), "x");
        Trees.run(top, "touch", "-d", "@-4.5", "f");
        Files.createSymbolicLink(top.resolve("l"), Path.of("x"));
        Trees.run(top, "touch", "-h", "-d", "@-4.5", "l");
        Instant time = Instant.ofEpochSecond(-5, 500_000_000);
        assertThat(FileStat.of(file).attributes().isSameTime(at(time)))
                .as("the file system keeps it")
                .isTrue();
        try (TreeSource from = new TreeSource(TreeScanner.scan(top + "/"));
                TreeTarget to = Trees.target(copy.toString(), from.manifest(), "job")) {
            Trees.copy(from, to, 64, 1, SEED);
            to.commit(null);
        }
        for (String name : List.of("f", "l")) {
            EntryAttributes copied = FileStat.of(copy.resolve(name)).attributes();
            assertThat(copied.isSameTime(at(Instant.ofEpochSecond(-5))))
                    .as(name)
                    .isTrue();
        }
    }

    private static EntryAttributes at(Instant time) {
        return new EntryAttributes(0644, time.getEpochSecond(), time.getNano());
    }

    @Test
    void emptyThings() throws Exception {
        Files.createDirectories(top.resolve("a/b/c"));
        Trees.write(top.resolve("a/empty"), "");
        Trees.write(top.resolve("z"), "");
        assertCopies(10);
        assertThat(copy.resolve("a/b/c")).isEmptyDirectory();
    }

    @Test
    void nothingAtAll() throws Exception {
        assertCopies(10);
    }

    @Test
    void links() throws Exception {
        Path outside = Trees.write(directory.resolve("outside"), "secret");
        for (String target :
                List.of("missing", "..", ".", "/", "/etc/passwd", "../outside", "self", "sub/", "\u00ff/\u00fe")) {
            Files.createSymbolicLink(
                    Trees.in(top, "to " + target.replace('/', '_')), RawPaths.linkTarget(Trees.bytes(target)));
        }
        Files.createSymbolicLink(top.resolve("self"), Path.of("self"));
        Files.createDirectory(top.resolve("sub"));
        assertCopies(10);
        assertThat(outside).hasContent("secret");
    }

    @Test
    void hardLinksBecomeFilesOfTheirOwn() throws Exception {
        Files.createLink(top.resolve("b"), Trees.write(top.resolve("a"), "shared"));
        assertCopies(4);
        assertThat(FileStat.of(copy.resolve("a")).inode())
                .isNotEqualTo(FileStat.of(copy.resolve("b")).inode());
    }

    @Test
    void sparseFiles() throws Exception {
        try (RandomAccessFile file = new RandomAccessFile(top.resolve("sparse").toFile(), "rw")) {
            file.seek(3_000_000);
            file.write(1);
            file.setLength(5_000_001);
        }
        assertCopies(1 << 16);
    }

    @Test
    void deepTrees() throws Exception {
        Path path = top;
        for (int depth = 0; path.toString().length() < 3800; depth++) {
            path = Files.createDirectory(path.resolve("level-" + depth));
            if (depth % 100 == 0) {
                Trees.write(path.resolve("f"), "at " + depth);
            }
        }
        assertCopies(20);
    }

    @Test
    void anyTree() throws Exception {
        Random random = new Random(SEED);
        fill(top, random, 4);
        assertCopies(1 + random.nextInt(30_000));
    }

    private static void fill(Path into, Random random, int depth) throws IOException {
        for (int i = random.nextInt(25); i >= 0; i--) {
            String name = i + "" + (char) (0x80 + random.nextInt(0x80));
            if (depth > 0 && random.nextInt(5) == 0) {
                fill(Files.createDirectory(Trees.in(into, name)), random, depth - 1);
            } else {
                byte[] content = new byte[random.nextBoolean() ? random.nextInt(300) : random.nextInt(50_000)];
                random.nextBytes(content);
                Files.write(Trees.in(into, name), content);
            }
        }
        Trees.mode(into, 0700 | random.nextInt(01000));
        Trees.mtime(into, random.nextInt(), random.nextInt(1_000_000_000));
    }

    @Test
    @Tag("full")
    void manySmallFiles() throws Exception {
        Random random = new Random(SEED);
        byte[] content = new byte[300];
        for (int i = 0; i < 200; i++) {
            Path inside = Files.createDirectory(top.resolve("d" + i));
            for (int j = 0; j < 100; j++) {
                random.nextBytes(content);
                Files.write(inside.resolve("f" + j), content);
            }
        }
        assertCopies(1 << 15);
    }
}

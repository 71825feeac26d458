package org.robber.transport.storage.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.manifest.EntryAttributes;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.Trees;
import org.robber.transport.storage.file.EntryFilter;

class TreeScannerTest {
    @TempDir
    Path directory;

    private static List<String> paths(ScannedTree tree) {
        List<String> paths = new ArrayList<>();
        for (int i = 0; i < tree.manifest().entryCount(); i++) {
            paths.add(tree.manifest().pathText(i));
        }
        return paths;
    }

    private Path sampleTree() throws IOException {
        Path top = Files.createDirectories(directory.resolve("top"));
        Files.createDirectories(top.resolve("b/deep"));
        Trees.write(top.resolve("b/f"), "12345");
        Trees.write(top.resolve("a"), "123");
        Files.createSymbolicLink(top.resolve("l"), Path.of("b"));
        return top;
    }

    @Test
    void aDirectoryIsCopiedUnderItsName() throws IOException {
        ScannedTree tree = TreeScanner.scan(sampleTree().toString());

        assertThat(paths(tree)).containsExactly("top", "top/a", "top/b", "top/b/deep", "top/b/f", "top/l");
        assertThat(tree.manifest().isRooted()).isFalse();
        assertThat(tree.manifest().totalBytes()).isEqualTo(8);
        assertThat(tree.skipped()).isEmpty();
        assertThat(tree.path(4)).isEqualTo(directory.resolve("top/b/f"));
    }

    @Test
    void aSlashAtTheEndMeansTheContents() throws IOException {
        Path top = sampleTree();
        for (String end : new String[] {"/", "//", "/.", "/b/.."}) {
            ScannedTree tree = TreeScanner.scan(top + end);
            assertThat(paths(tree)).as(end).containsExactly(".", "a", "b", "b/deep", "b/f", "l");
            assertThat(tree.manifest().isRooted()).isTrue();
            assertThat(tree.path(1).toRealPath()).isEqualTo(top.toRealPath().resolve("a"));
        }
    }

    @Test
    void linksAreFollowedOnlyAsTheSourceWithASlash() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), sampleTree());

        Manifest itself = TreeScanner.scan(link.toString()).manifest();
        assertThat(itself.isSingle()).isTrue();
        assertThat(itself.kind(0)).isEqualTo(EntryKind.SYMLINK);
        assertThat(itself.linkTarget(0))
                .isEqualTo(Trees.bytes(directory.resolve("top").toString()));
        assertThat(paths(TreeScanner.scan(link + "/"))).startsWith(".", "a", "b");

        Path dangling = Files.createSymbolicLink(directory.resolve("dangling"), Path.of("nowhere"));
        assertThat(TreeScanner.scan(dangling.toString()).manifest().isSingle()).isTrue();
        assertFails(dangling + "/", "no such file");
    }

    @Test
    void aFileIsSingle() throws IOException {
        Path file = Trees.write(directory.resolve("f"), "x");
        assertThat(TreeScanner.scan(file.toString()).manifest().isSingle()).isTrue();
        assertFails(file + "/", "not a directory");
    }

    @Test
    void aMissingSourceIsNamed() {
        assertFails(directory + "/missing", "missing: no such file or directory");
        assertFails(directory + "/missing/", "no such file or directory");
        assertFails("", "empty");
        assertFails("a\0b", "Nul character");
    }

    /** It would be copied as an empty file. */
    @Test
    void aFileWhoseSizeIsNotToldIsNamed() throws IOException {
        assertFails("/proc/cpuinfo", "/proc/cpuinfo: its file system does not tell its size");

        Trees.write(directory.resolve("empty"), "");
        ScannedTree merged = TreeScanner.scan(List.of(directory + "/", "/proc/sys/kernel/random/"), EntryFilter.ALL);
        assertThat(paths(merged)).contains("empty").doesNotContain("boot_id");
        assertThat(merged.skipped()).extracting(SkippedEntry::path).contains("/proc/sys/kernel/random/boot_id");
    }

    private static void assertFails(String source, String message) {
        assertThatThrownBy(() -> TreeScanner.scan(source))
                .isInstanceOfSatisfying(RobberException.class, e -> {
                    assertThat(e.reason()).isEqualTo(Reason.SOURCE);
                    assertThat(e.phase()).isEqualTo("scan");
                })
                .hasMessageContaining(message);
    }

    @Test
    void modesAndTimesAreExact() throws IOException {
        Path file = Trees.write(directory.resolve("f"), "x");
        Trees.mtime(file, 1_234_567_890, 123_456_789);
        Trees.mode(file, 06711);
        assertThat(TreeScanner.scan(file.toString()).manifest().attributes(0))
                .isEqualTo(new EntryAttributes(06711, 1_234_567_890, 123_456_789));
        Trees.mtime(file, -5, 0);
        assertThat(TreeScanner.scan(file.toString()).manifest().attributes(0).mtimeSeconds())
                .isEqualTo(-5);
    }

    @Test
    void whatCannotBeCopiedIsListed() throws IOException, InterruptedException {
        Path top = sampleTree();
        Trees.run(top, "mkfifo", "b/pipe");
        Path socket = top.resolve("socket");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            ScannedTree tree = TreeScanner.scan(top.toString());

            assertThat(tree.skipped())
                    .containsExactly(
                            new SkippedEntry(top.resolve("b/pipe").toString(), "a fifo"),
                            new SkippedEntry(socket.toString(), "a socket"));
            assertThat(paths(tree)).doesNotContain("top/b/pipe", "top/socket").contains("top/b/f");
            assertFails(socket.toString(), "a socket");
        }
        assertFails("/dev/null", "a device");
    }

    @Test
    void whatMayNotBeReadIsListed() throws IOException {
        assumeFalse(Trees.isRoot(), "root may read everything");
        Path top = sampleTree();
        Trees.mode(top.resolve("a"), 0200);
        Trees.mode(top.resolve("b"), 0300);
        ScannedTree tree = TreeScanner.scan(top.toString());

        assertThat(tree.skipped())
                .containsExactly(
                        new SkippedEntry(top.resolve("a").toString(), "permission denied"),
                        new SkippedEntry(top.resolve("b").toString(), "its contents: permission denied"));
        assertThat(paths(tree)).containsExactly("top", "top/b", "top/l");
        assertFails(top.resolve("a").toString(), "permission denied");
        assertFails(top.resolve("b").toString(), "permission denied");
        Trees.mode(top.resolve("b"), 0700);
    }

    @Test
    void directoriesMayBeNestedDeeperThanTheStackOfTheThread() throws Exception {
        int depth = 1000;
        Path top = directory.resolve("top");
        Path deepest = Files.createDirectories(top.resolve("d/".repeat(depth)));
        Trees.write(deepest.resolve("f"), "12345");
        CompletableFuture<ScannedTree> scanned = new CompletableFuture<>();
        Thread thread = new Thread(
                null,
                () -> scanned.completeAsync(() -> TreeScanner.scan(top.toString()), Runnable::run),
                "scan",
                1 << 18);
        thread.start();
        thread.join();

        Manifest manifest = scanned.join().manifest();
        assertThat(manifest.entryCount()).isEqualTo(depth + 2);
        assertThat(manifest.totalBytes()).isEqualTo(5);
        assertThat(manifest.subtreeEnd(0)).isEqualTo(depth + 2);
        assertThat(manifest.pathText(depth + 1)).isEqualTo("top/" + "d/".repeat(depth) + "f");
    }

    @Test
    void oddNamesAreJustBytes() throws IOException {
        Path top = Files.createDirectory(directory.resolve("top"));
        List<String> names = List.of("\u0080\u00ff", "\n", "-rf", "a b", "\u00c3\u00a9", "*", Trees.name255('\u00ee'));
        for (String name : names) {
            Trees.write(Trees.in(top, name), name);
        }
        Manifest manifest = TreeScanner.scan(top + "/").manifest();

        List<byte[]> found = new ArrayList<>();
        for (int i = 1; i < manifest.entryCount(); i++) {
            found.add(manifest.name(i));
        }
        assertThat(found)
                .containsExactlyInAnyOrderElementsOf(
                        names.stream().map(Trees::bytes).toList());
    }
}

package org.robber.transport.storage.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage.FileRange;
import org.robber.transport.storage.Trees;

class TreeSourceTest {
    @TempDir
    Path top;

    @BeforeEach
    void makeTree() throws IOException {
        Trees.write(top.resolve("a"), "0123");
        Files.createDirectory(top.resolve("b"));
        Trees.write(top.resolve("b/empty"), "");
        Trees.write(top.resolve("b/f"), "456789");
        Trees.write(top.resolve("c"), "AB");
    }

    private TreeSource source() {
        return new TreeSource(TreeScanner.scan(top + "/"));
    }

    @Test
    void isTheConcatenationOfItsFiles() throws IOException {
        byte[] all = Trees.bytes("0123456789AB");
        try (TreeSource source = source()) {
            assertThat(source.sizeBytes()).isEqualTo(12);
            for (int from = 0; from <= 12; from++) {
                for (int to = from; to <= 12; to++) {
                    ByteBuffer part = ByteBuffer.allocateDirect(20).position(3).limit(3 + to - from);
                    source.read(from, part);
                    byte[] read = new byte[to - from];
                    part.get(3, read);
                    assertThat(read).isEqualTo(java.util.Arrays.copyOfRange(all, from, to));
                    assertThat(part.hasRemaining()).isFalse();
                }
            }
            assertThatThrownBy(() -> source.read(10, ByteBuffer.allocate(3)))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> source.write(0, ByteBuffer.allocate(1)))
                    .isInstanceOf(UnsupportedOperationException.class);
        }
    }

    @Test
    void givesRangesOfOneFile() throws IOException {
        try (TreeSource source = source()) {
            FileRange range = source.fileRange(5, 5);
            assertThat(range).isNotNull();
            ByteBuffer sent = ByteBuffer.allocate(5);
            range.channel().read(sent, range.positionBytes());
            range.release();
            assertThat(sent.array()).isEqualTo(Trees.bytes("56789"));
            assertThat(source.fileRange(3, 2)).as("crosses a border").isNull();
            assertThat(source.fileRange(4, 0)).isNull();
        }
    }

    private static void assertChanged(ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.SOURCE_CHANGED))
                .hasMessageContaining(message);
    }

    @Test
    void noticesWhatWasChangedBeforeItWasRead() throws IOException {
        try (TreeSource source = source()) {
            Trees.write(top.resolve("b/f"), "45678");
            assertChanged(() -> source.read(4, ByteBuffer.allocate(6)), "b/f had 6 bytes and now has 5");
            assertChanged(() -> source.read(4, ByteBuffer.allocate(3)), "b/f had 6 bytes and now has 5");
            Files.delete(top.resolve("a"));
            assertChanged(() -> source.read(0, ByteBuffer.allocate(4)), "a vanished");
        }
    }

    @Test
    void doesNotWaitForAFifoInAFilesPlace() throws IOException, InterruptedException {
        try (TreeSource source = source()) {
            Files.delete(top.resolve("a"));
            Trees.run(top, "mkfifo", "a");
            assertChanged(() -> source.read(0, ByteBuffer.allocate(4)), "replaced");
            Files.delete(top.resolve("c"));
            Files.createSymbolicLink(top.resolve("c"), Path.of("b/f"));
            assertChanged(() -> source.read(10, ByteBuffer.allocate(2)), "replaced");
        }
    }

    /** The file behind the link is the very file that was scanned, so that only the link gives it away. */
    @Test
    void doesNotFollowALinkInADirectorysPlace(@TempDir Path elsewhere) throws IOException {
        Files.createDirectories(top.resolve("b/deep/\u00e4"));
        Trees.write(top.resolve("b/deep/\u00e4/g"), "xyz");
        try (TreeSource source = source()) {
            Files.move(top.resolve("b/deep"), elsewhere.resolve("deep"));
            Files.createSymbolicLink(top.resolve("b/deep"), elsewhere.resolve("deep"));
            assertChanged(() -> source.read(4, ByteBuffer.allocate(3)), "b/deep was replaced");
            assertChanged(() -> source.read(4, ByteBuffer.allocate(2)), "b/deep was replaced");
            assertChanged(() -> source.fileRange(4, 2), "b/deep was replaced");
        }
    }

    /** Also of a source without a slash at its end, whose top directory is an entry. */
    @Test
    void doesNotFollowALinkInTheSourcesPlace(@TempDir Path elsewhere) throws IOException {
        Path tree = Files.createDirectory(top.resolve("tree"));
        Trees.write(tree.resolve("file"), "abc");
        try (TreeSource source = new TreeSource(TreeScanner.scan(tree.toString()))) {
            assertThat(Trees.content(source)).isEqualTo(Trees.bytes("abc"));
        }
        try (TreeSource source = new TreeSource(TreeScanner.scan(tree.toString()))) {
            Files.move(tree, elsewhere.resolve("tree"));
            Files.createSymbolicLink(tree, elsewhere.resolve("tree"));
            assertChanged(() -> source.read(0, ByteBuffer.allocate(3)), "tree was replaced");
        }
    }

    @Test
    void opensNoFifoInADirectorysPlace() throws IOException, InterruptedException {
        ScannedTree tree = TreeScanner.scan(top + "/");
        int file = 4;
        assertThat(tree.manifest().pathText(file)).isEqualTo("b/f");
        Files.move(top.resolve("b"), top.resolve("d"));
        Trees.run(top, "mkfifo", "b");
        try (SourceFiles files = new SourceFiles(tree)) {
            assertChanged(() -> files.open(file), "b was replaced");
        }
    }

    @Test
    void noticesAFileThatBecomesShorterWhileItIsOpen() throws IOException {
        try (TreeSource source = source()) {
            source.read(4, ByteBuffer.allocate(2));
            Files.newByteChannel(top.resolve("b/f"), StandardOpenOption.WRITE)
                    .truncate(3)
                    .close();
            assertChanged(() -> source.read(6, ByteBuffer.allocate(3)), "became shorter");
        }
    }

    @Test
    void noticesInTheEndWhatWasChangedAfterItWasRead() throws IOException {
        try (TreeSource source = source()) {
            Trees.content(source);
            source.verifyUnchanged();

            Files.writeString(top.resolve("c"), "more", StandardOpenOption.APPEND);
            assertChanged(source::verifyUnchanged, "c had 2 bytes and now has 6");
        }
    }

    @Test
    void noticesABackdatedReplacement() throws IOException {
        Trees.mtime(top.resolve("c"), 1000, 0);
        try (TreeSource source = source()) {
            Path other = Trees.write(top.resolve("other"), "XY");
            Trees.mtime(other, 1000, 0);
            Files.move(other, top.resolve("c"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            assertChanged(source::verifyUnchanged, "was written to or replaced");
        }
    }
}

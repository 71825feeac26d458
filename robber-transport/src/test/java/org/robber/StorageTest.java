package org.robber;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StorageTest {
    @TempDir
    Path folder;

    private static Storage threeBuffers() {
        return Storage.of(ByteBuffer.allocate(4).position(1), ByteBuffer.allocateDirect(5), ByteBuffer.allocate(2));
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    private static byte[] content(Storage storage) throws IOException {
        ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(storage.sizeBytes()));
        storage.read(0, all);
        return all.array();
    }

    private static String text(Storage storage) throws IOException {
        return new String(content(storage), UTF_8);
    }

    @Test
    void readsAndWritesAcrossBuffers() throws IOException {
        Storage storage = threeBuffers();
        assertThat(storage.sizeBytes()).isEqualTo(10);

        storage.write(2, ByteBuffer.wrap(new byte[] {9, 1, 2, 3, 4, 5, 6, 7, 9}, 1, 7));
        assertThat(content(storage)).containsExactly(0, 0, 1, 2, 3, 4, 5, 6, 7, 0);

        ByteBuffer part = ByteBuffer.allocate(6).position(2).limit(5);
        storage.read(7, part);
        assertThat(part.array()).containsExactly(0, 0, 6, 7, 0, 0);
        assertThat(part.hasRemaining()).isFalse();
    }

    @Test
    void showsMemoryOfOneBuffer() throws IOException {
        Storage storage = threeBuffers();
        ByteBuffer view = storage.memory(4, 3);
        assertThat(view).isNotNull();
        assertThat(view.position()).isZero();
        assertThat(view.limit()).isEqualTo(3);
        view.put((byte) 42);
        assertThat(content(storage)[4]).isEqualTo((byte) 42);

        assertThat(storage.memory(2, 2)).as("crosses a border").isNull();
        assertThat(storage.memory(3, 5)).isNotNull();
        assertThat(storage.fileRange(0, 1)).isNull();
    }

    @Test
    void buffersRefuseWhatIsOutside() throws IOException {
        Storage storage = threeBuffers();
        assertThatThrownBy(() -> storage.read(8, ByteBuffer.allocate(3))).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> storage.write(-1, ByteBuffer.allocate(1)))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> storage.memory(10, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        storage.read(10, ByteBuffer.allocate(0));
    }

    @Test
    void leavesTheGivenBufferAlone() throws IOException {
        ByteBuffer given = ByteBuffer.allocate(8).position(3).limit(6);
        Storage.of(given).write(0, ByteBuffer.wrap(new byte[] {1, 2, 3}));

        assertThat(given.position()).isEqualTo(3);
        assertThat(given.array()).containsExactly(0, 0, 0, 1, 2, 3, 0, 0);
    }

    @Test
    void sendsFromReadOnlyBuffersButDoesNotWriteToThem() throws IOException {
        Storage storage = Storage.of(ByteBuffer.wrap(new byte[] {5}).asReadOnlyBuffer());
        assertThat(content(storage)).containsExactly(5);
        assertThatThrownBy(() -> storage.write(0, ByteBuffer.allocate(1))).isInstanceOf(ReadOnlyBufferException.class);
    }

    @Test
    void memoryMayBeEmpty() {
        assertThat(Storage.allocateDirect(0).sizeBytes()).isZero();
        assertThat(Storage.allocateDirect(100).sizeBytes()).isEqualTo(100);
        assertThat(Storage.of(ByteBuffer.allocate(0)).sizeBytes()).isZero();
        assertThat(Storage.of().sizeBytes()).isZero();
    }

    @Test
    void readsAnOpenFile() throws IOException {
        Path file = Files.writeString(folder.resolve("f"), "0123456789");
        try (Storage storage = Storage.of(FileChannel.open(file))) {
            assertThat(storage.sizeBytes()).isEqualTo(10);
            assertThat(text(storage)).isEqualTo("0123456789");

            Storage.FileRange range = storage.fileRange(2, 5);
            assertThat(range).isNotNull();
            ByteBuffer sent = ByteBuffer.allocate(5);
            range.channel().read(sent, range.positionBytes());
            range.release();
            assertThat(sent.array()).isEqualTo("23456".getBytes(UTF_8));

            assertThatThrownBy(() -> storage.write(0, bytes("a")))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the file is open for reading only");
            Files.writeString(file, "short");
            assertThatThrownBy(() -> text(storage))
                    .isInstanceOf(EOFException.class)
                    .hasMessage("the file ends at byte 5 of 10");
        }
    }

    @Test
    void writesAnOpenFileInAnyOrder() throws IOException {
        Path file = folder.resolve("f");
        FileChannel channel = FileChannel.open(file, CREATE, READ, WRITE);
        try (Storage storage = Storage.of(channel, 6)) {
            storage.write(3, bytes("def"));
            storage.write(0, bytes("abc"));
            assertThat(text(storage)).isEqualTo("abcdef");
            assertThatThrownBy(() -> storage.write(6, bytes("g"))).isInstanceOf(IndexOutOfBoundsException.class);
        }
        assertThat(file).hasContent("abcdef");
        assertThat(channel.isOpen()).isFalse();
        assertThatThrownBy(() -> Storage.of(channel, -1)).isInstanceOf(IllegalArgumentException.class);
        try (Storage storage = Storage.of(FileChannel.open(file, READ))) {
            assertThat(storage.isReadOnly()).isTrue();
        }
        try (Storage storage = Storage.of(FileChannel.open(file, WRITE))) {
            assertThat(storage.isReadOnly()).isFalse();
            assertThatThrownBy(() -> text(storage))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the file is open for writing only");
        }
    }

    @Test
    void readsAndWritesAcrossTheFilesOfATree() throws IOException {
        Files.createDirectory(folder.resolve("b"));
        Files.writeString(folder.resolve("c"), "ghij");
        Files.writeString(folder.resolve("b/empty"), "");
        Files.writeString(folder.resolve("b/d"), "def");
        Files.writeString(folder.resolve("a"), "abc");
        Files.createSymbolicLink(folder.resolve("link"), Path.of("a"));

        try (Storage tree = Storage.tree(folder)) {
            assertThat(text(tree)).isEqualTo("abcdefghij");
            ByteBuffer part = ByteBuffer.allocate(7).position(1).limit(6);
            tree.read(2, part);
            assertThat(part.array()).isEqualTo("\0cdefg\0".getBytes(UTF_8));
            assertThat(part.position()).isEqualTo(6);

            tree.write(1, bytes("BCDEFG"));
            assertThat(text(tree)).isEqualTo("aBCDEFGhij");
            tree.read(10, ByteBuffer.allocate(0));
            assertThatThrownBy(() -> tree.write(9, bytes("xy"))).isInstanceOf(IndexOutOfBoundsException.class);

            Files.writeString(folder.resolve("c"), "g");
            assertThatThrownBy(() -> text(tree))
                    .isInstanceOf(EOFException.class)
                    .hasMessage(folder.resolve("c") + ": ends at byte 1 of 4");
            Files.delete(folder.resolve("a"));
            assertThatThrownBy(() -> text(tree)).isInstanceOf(NoSuchFileException.class);
        }
        assertThat(folder.resolve("b/d")).hasContent("DEF");
    }

    @Test
    void aTreeIsAFolder() throws IOException {
        Path file = Files.writeString(folder.resolve("f"), "x");
        Path link = Files.createSymbolicLink(folder.resolve("link"), Files.createDirectory(folder.resolve("linked")));
        Files.writeString(folder.resolve("linked/file"), "content");
        try (Storage tree = Storage.tree(link)) {
            assertThat(tree.sizeBytes()).isEqualTo(7);
        }
        assertThatThrownBy(() -> Storage.tree(file)).isInstanceOf(NotDirectoryException.class);
        assertThatThrownBy(() -> Storage.tree(folder.resolve("missing"))).isInstanceOf(NotDirectoryException.class);
    }
}

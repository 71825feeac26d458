package org.robber.transport.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.Storage.FileRange;

class FileStorageTest {
    @TempDir
    Path directory;

    @Test
    void readsAnExistingFile() throws IOException {
        Path file = Trees.write(directory.resolve("f"), "0123456789");
        try (FileStorage storage = FileStorage.reading(file)) {
            ByteBuffer part = ByteBuffer.allocate(4);
            storage.read(3, part);
            assertThat(part.array()).isEqualTo(Trees.bytes("3456"));

            FileRange range = storage.fileRange(2, 5);
            ByteBuffer sent = ByteBuffer.allocate(5);
            range.channel().read(sent, range.positionBytes());
            range.release();
            assertThat(sent.array()).isEqualTo(Trees.bytes("23456"));
            assertThat(storage.sizeBytes()).isEqualTo(10);
        }
    }

    @Test
    void writesInAnyOrder() throws IOException {
        Path file = directory.resolve("f");
        try (FileStorage storage = FileStorage.writing(file, 6)) {
            storage.write(3, ByteBuffer.wrap(Trees.bytes("def")));
            storage.write(0, ByteBuffer.wrap(Trees.bytes("abc")));
            assertThat(Trees.content(storage)).isEqualTo(Trees.bytes("abcdef"));
            assertThatThrownBy(() -> storage.write(6, ByteBuffer.allocate(1)))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
        assertThat(file).hasContent("abcdef");

        FileStorage.writing(file, 2).close();
        assertThat(file).hasContent("ab");
    }

    @Test
    void errorsNameTheFile() throws IOException {
        Path missing = directory.resolve("missing");
        assertThatThrownBy(() -> FileStorage.reading(missing))
                .isInstanceOf(IOException.class)
                .hasMessage(missing + ": no such file or directory");
        assertThatThrownBy(() -> FileStorage.writing(directory, 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(directory.toString());

        Path file = Trees.write(directory.resolve("f"), "0123456789");
        try (FileStorage storage = FileStorage.reading(file)) {
            assertThatThrownBy(() -> storage.write(0, ByteBuffer.allocate(1))).isInstanceOf(RuntimeException.class);
            Trees.write(file, "short");
            assertThatThrownBy(() -> storage.read(0, ByteBuffer.allocate(10)))
                    .isInstanceOf(IOException.class)
                    .hasMessage(file + ": ends before byte 10");
        }
        assertThat(Files.size(file)).isEqualTo(5);
    }
}

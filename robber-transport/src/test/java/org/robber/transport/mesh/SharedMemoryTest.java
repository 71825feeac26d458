package org.robber.transport.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.robber.core.meeting.MeshMessage.Share;

@EnabledOnOs(OS.LINUX)
class SharedMemoryTest {
    private static final Path FOLDER = Path.of("/dev/shm");

    private final SharedMemory created = Objects.requireNonNull(SharedMemory.create());

    @AfterEach
    void delete() {
        created.delete();
    }

    private Path file() {
        return FOLDER.resolve(created.share().name());
    }

    @Test
    void whatOneWritesTheOtherReads() {
        SharedMemory opened = Objects.requireNonNull(SharedMemory.open(created.share()));
        assertPasses(created.out(), opened.in());
        assertPasses(opened.out(), created.in());
    }

    private static void assertPasses(SharedRing writer, SharedRing reader) {
        assertThat(writer.offer(ByteBuffer.wrap(new byte[] {1, 2, 3}))).isTrue();
        List<Integer> got = new ArrayList<>();
        reader.read(frame -> got.add(frame.remaining()));
        assertThat(got).containsExactly(3);
    }

    @Test
    void onlyTheUserMayOpenTheFileAndItIsGoneOnceItIsOpen() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        assertThat(SharedMemory.open(created.share())).isNotNull();
        assertThat(file()).doesNotExist();
        assertThat(SharedMemory.open(created.share())).isNull();
    }

    @Test
    void anotherFileIsNotTakenForIt() throws IOException {
        Share share = created.share();
        assertThat(SharedMemory.open(new Share(share.name(), share.token() + 1)))
                .isNull();
        assertThat(SharedMemory.open(new Share("../shm/" + share.name(), share.token())))
                .isNull();
        assertThat(file()).exists();

        Path other =
                FOLDER.resolve("robber-00000000-0000-0000-0000-" + share.name().substring(31));
        try {
            Files.createSymbolicLink(other, file());
            assertThat(SharedMemory.open(new Share(other.getFileName().toString(), share.token())))
                    .isNull();
            Files.delete(other);
            Files.write(other, new byte[100]);
            assertThat(SharedMemory.open(new Share(other.getFileName().toString(), 0)))
                    .isNull();
        } finally {
            Files.deleteIfExists(other);
        }
    }
}

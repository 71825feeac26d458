package org.robber.transport.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.List;
import org.junit.jupiter.api.Test;

class BufferStorageTest {

    private static BufferStorage threeBuffers() {
        return BufferStorage.of(
                List.of(ByteBuffer.allocate(4).position(1), ByteBuffer.allocateDirect(5), ByteBuffer.allocate(2)));
    }

    @Test
    void readsAndWritesAcrossBuffers() throws Exception {
        BufferStorage storage = threeBuffers();
        assertThat(storage.sizeBytes()).isEqualTo(10);

        storage.write(2, ByteBuffer.wrap(new byte[] {9, 1, 2, 3, 4, 5, 6, 7, 9}, 1, 7));
        assertThat(Trees.content(storage)).containsExactly(0, 0, 1, 2, 3, 4, 5, 6, 7, 0);

        ByteBuffer part = ByteBuffer.allocate(6).position(2).limit(5);
        storage.read(7, part);
        assertThat(part.array()).containsExactly(0, 0, 6, 7, 0, 0);
        assertThat(part.hasRemaining()).isFalse();
    }

    @Test
    void showsMemoryOfOneBuffer() throws Exception {
        BufferStorage storage = threeBuffers();
        ByteBuffer view = storage.memory(4, 3);
        assertThat(view).isNotNull();
        assertThat(view.position()).isZero();
        assertThat(view.limit()).isEqualTo(3);
        view.put((byte) 42);
        assertThat(Trees.content(storage)[4]).isEqualTo((byte) 42);

        assertThat(storage.memory(2, 2)).as("crosses a border").isNull();
        assertThat(storage.memory(3, 5)).isNotNull();
        assertThat(storage.fileRange(0, 1)).isNull();
    }

    @Test
    void refusesWhatIsOutside() {
        BufferStorage storage = threeBuffers();
        assertThatThrownBy(() -> storage.read(8, ByteBuffer.allocate(3))).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> storage.write(-1, ByteBuffer.allocate(1)))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> storage.memory(10, 1)).isInstanceOf(IllegalArgumentException.class);
        storage.read(10, ByteBuffer.allocate(0));
    }

    @Test
    void leavesTheGivenBufferAlone() {
        ByteBuffer given = ByteBuffer.allocate(8).position(3).limit(6);
        BufferStorage storage = BufferStorage.of(given);
        storage.write(0, ByteBuffer.wrap(new byte[] {1, 2, 3}));

        assertThat(given.position()).isEqualTo(3);
        assertThat(given.array()).containsExactly(0, 0, 0, 1, 2, 3, 0, 0);
    }

    @Test
    void sendsFromReadOnlyBuffersButDoesNotWriteToThem() throws Exception {
        BufferStorage storage = BufferStorage.of(ByteBuffer.wrap(new byte[] {5}).asReadOnlyBuffer());
        assertThat(Trees.content(storage)).containsExactly(5);
        assertThatThrownBy(() -> storage.write(0, ByteBuffer.allocate(1))).isInstanceOf(ReadOnlyBufferException.class);
    }

    @Test
    void mayBeEmpty() {
        assertThat(BufferStorage.allocateDirect(0).sizeBytes()).isZero();
        assertThat(BufferStorage.allocateDirect(100).sizeBytes()).isEqualTo(100);
        assertThat(BufferStorage.of(ByteBuffer.allocate(0)).sizeBytes()).isZero();
    }
}

package org.robber.transport.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class SharedMemoryTest {
    @Test
    void whatOneWritesTheOtherReadsAndNobodyElseCanOpenIt() {
        SharedMemory created = Objects.requireNonNull(SharedMemory.create());
        assertThat(created.out().offer(ByteBuffer.allocate(1))).isFalse();

        SharedMemory opened = Objects.requireNonNull(SharedMemory.open(created.share()));
        assertPasses(created.out(), opened.in());
        assertPasses(opened.out(), created.in());
        assertThat(SharedMemory.open(created.share())).isNull();
    }

    private static void assertPasses(SharedRing writer, SharedRing reader) {
        assertThat(writer.offer(ByteBuffer.wrap(new byte[] {1, 2, 3}))).isTrue();
        List<Integer> got = new ArrayList<>();
        reader.read(frame -> got.add(frame.remaining()));
        assertThat(got).containsExactly(3);
    }

    @Test
    void memoryThatIsNotOpenedIsDeleted() {
        SharedMemory created = Objects.requireNonNull(SharedMemory.create());
        created.delete();
        assertThat(SharedMemory.open(created.share())).isNull();
    }
}

package org.robber.transport.collective.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import org.junit.jupiter.api.Test;
import org.robber.Storage;

class MemoryRangeTest {
    private static boolean meet(Object one, Object other) {
        boolean meet = Elements.of("one", one).overlaps(Elements.of("other", other));
        assertThat(Elements.of("other", other).overlaps(Elements.of("one", one)))
                .isEqualTo(meet);
        return meet;
    }

    @Test
    void rangesOfAnArray() {
        int[] array = new int[8];
        assertThat(meet(array, IntBuffer.wrap(array, 6, 2))).isTrue();
        assertThat(meet(IntBuffer.wrap(array, 0, 4), IntBuffer.wrap(array, 3, 2)))
                .isTrue();
        assertThat(meet(IntBuffer.wrap(array, 0, 4), IntBuffer.wrap(array, 4, 4).slice()))
                .isFalse();
        assertThat(meet(array, new int[8])).isFalse();
    }

    @Test
    void rangesOutsideOfTheHeap() {
        ByteBuffer direct = ByteBuffer.allocateDirect(8);
        assertThat(meet(direct.slice(0, 5), direct.slice(4, 4))).isTrue();
        assertThat(meet(direct.slice(0, 4), direct.slice(4, 4))).isFalse();
        assertThat(meet(direct.slice(0, 0), direct)).isFalse();
        assertThat(meet(direct, ByteBuffer.allocateDirect(8))).isFalse();
        assertThat(meet(direct, ByteBuffer.allocate(8))).isFalse();
    }

    @Test
    void viewsOutsideOfTheHeap() {
        ByteBuffer direct = ByteBuffer.allocateDirect(32);
        IntBuffer ints = direct.asIntBuffer();
        assertThat(meet(ints, direct.asFloatBuffer())).isTrue();
        assertThat(meet(ints.slice(0, 5), direct.slice(16, 4))).isTrue();
        assertThat(meet(ints.slice(0, 4), direct.slice(16, 4))).isFalse();
        assertThat(meet(ints.position(4), direct.asReadOnlyBuffer().limit(17))).isTrue();
        assertThat(meet(ints, direct.slice(0, 16).asLongBuffer())).isFalse();
    }

    @Test
    void buffersThatHideTheirArrays() {
        ByteBuffer heap = ByteBuffer.allocate(32);
        assertThat(unseen(heap.asIntBuffer(), heap)).isTrue();
        assertThat(unseen(heap.asReadOnlyBuffer(), heap.asIntBuffer())).isTrue();
        assertThat(unseen(heap.asIntBuffer(), ByteBuffer.allocateDirect(32).asIntBuffer()))
                .isFalse();
        assertThat(unseen(heap, new int[8])).isFalse();
        assertThat(unseen(new int[8], Storage.of(heap))).isFalse();
    }

    private static boolean unseen(Object one, Object other) {
        boolean may = Elements.of("one", one).mayOverlapUnseen(Elements.of("other", other));
        assertThat(Elements.of("other", other).mayOverlapUnseen(Elements.of("one", one)))
                .isEqualTo(may);
        return may;
    }
}

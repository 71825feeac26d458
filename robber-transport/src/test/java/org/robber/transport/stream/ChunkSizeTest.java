package org.robber.transport.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChunkSizeTest {
    private static final long LARGE_HEAP = 4L << 30;
    private static final int MEBIBYTE = 1 << 20;

    /** The size after so many chunks at this rate. */
    private static int sizeAfter(ChunkSize size, int chunks, double bytesPerSecond) {
        for (int i = 0; i < chunks; i++) {
            size.passed(size.bytes(), Math.round(size.bytes() / bytesPerSecond * 1e9));
        }
        return size.bytes();
    }

    @Test
    void growsToWhatGoesInSomeSeconds() {
        assertThat(sizeAfter(ChunkSize.ofHeap(LARGE_HEAP), 1, 1e9)).isEqualTo(16 * MEBIBYTE);
        assertThat(sizeAfter(ChunkSize.ofHeap(LARGE_HEAP), 10, 1e9)).isEqualTo(64 * MEBIBYTE);
        assertThat(sizeAfter(ChunkSize.ofHeap(LARGE_HEAP), 10, 9e6)).isEqualTo(32 * MEBIBYTE);
        assertThat(sizeAfter(ChunkSize.ofHeap(LARGE_HEAP), 10, 1e6)).isEqualTo(8 * MEBIBYTE);
    }

    @Test
    void shrinksWhenTheStreamGetsSlow() {
        ChunkSize size = ChunkSize.ofHeap(LARGE_HEAP);
        assertThat(sizeAfter(size, 10, 1e9)).isEqualTo(64 * MEBIBYTE);
        assertThat(sizeAfter(size, 1, 5e6)).isEqualTo(32 * MEBIBYTE);
        assertThat(sizeAfter(size, 10, 5e6)).isEqualTo(32 * MEBIBYTE);
        assertThat(sizeAfter(size, 10, 1e5)).isEqualTo(8 * MEBIBYTE);
    }

    @Test
    void staysSmallWhereTheHeapIsSmall() {
        assertThat(sizeAfter(ChunkSize.ofHeap(2400L * MEBIBYTE), 10, 1e9)).isEqualTo(32 * MEBIBYTE);
        assertThat(sizeAfter(ChunkSize.ofHeap(MEBIBYTE), 10, 1e9)).isEqualTo(8 * MEBIBYTE);
    }

    @Test
    void threeChunksFitIntoTheWindow() {
        assertThat(sizeAfter(ChunkSize.ofWindow(192 * MEBIBYTE), 10, 1e9)).isEqualTo(64 * MEBIBYTE);
        assertThat(sizeAfter(ChunkSize.ofWindow(90 * MEBIBYTE), 10, 1e9)).isEqualTo(30 * MEBIBYTE);
        assertThat(sizeAfter(ChunkSize.ofWindow(12 * MEBIBYTE), 10, 1e9)).isEqualTo(4 * MEBIBYTE);
        assertThat(sizeAfter(ChunkSize.ofWindow(12 * MEBIBYTE), 10, 1e3)).isEqualTo(4 * MEBIBYTE);
    }

    @Test
    void takesChunksThatNeededNoTime() {
        ChunkSize size = ChunkSize.ofHeap(LARGE_HEAP);
        size.passed(0, 0);
        size.passed(size.bytes(), 0);
        assertThat(size.bytes()).isEqualTo(16 * MEBIBYTE);
    }
}

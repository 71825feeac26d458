package org.robber.transport.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.transport.link.piece.PieceBuffers;

class AlignedMemoryTest {
    private static void assertAligned(ByteBuffer buffer) {
        assertThat(buffer.alignmentOffset(0, AlignedMemory.ALIGNMENT_BYTES)).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64, 4096, 1 << 20})
    void beginsAtACacheLineAndHasTheCapacity(int bytes) {
        ByteBuffer buffer = AlignedMemory.allocateDirect(bytes);

        assertThat(buffer.isDirect()).isTrue();
        assertThat(buffer.capacity()).isEqualTo(bytes);
        assertThat(buffer.remaining()).isEqualTo(bytes);
        assertAligned(buffer);
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 15, 1 << 22, 5 << 20})
    void placesOfPiecesAreAligned(int pieceBytes) {
        ByteBuf piece = PieceBuffers.OF_PROCESS.take(pieceBytes);
        try {
            assertThat(piece.capacity()).isEqualTo(pieceBytes);
            if (PooledByteBufAllocator.isDirectMemoryCacheAlignmentSupported()) {
                assertAligned(piece.internalNioBuffer(0, pieceBytes).slice());
            }
        } finally {
            PieceBuffers.OF_PROCESS.giveBack(piece);
        }
    }
}

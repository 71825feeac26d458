package org.robber.transport.storage.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.robber.Storage;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.storage.Trees;

class MirroringSourceTest {
    private static final PieceLayout LAYOUT = new PieceLayout(95, 10);

    private final byte[] data = new byte[95];
    private final Storage copy = Storage.of(ByteBuffer.allocate(95));
    private final AtomicInteger writes = new AtomicInteger();
    private final Map<Long, byte[]> known = new HashMap<>();
    private int failures;

    /** Counts writes, and fails as often as told. */
    private final Storage target = new Storage() {
        @Override
        public long sizeBytes() {
            return copy.sizeBytes();
        }

        @Override
        public void read(long offsetBytes, ByteBuffer into) throws IOException {
            copy.read(offsetBytes, into);
        }

        @Override
        public void write(long offsetBytes, ByteBuffer from) throws IOException {
            if (failures > 0) {
                failures--;
                throw new IOException("full");
            }
            writes.incrementAndGet();
            copy.write(offsetBytes, from);
        }

        @Override
        public byte @Nullable [] verifiedDigest(long offsetBytes, int lengthBytes) {
            return known.get(offsetBytes);
        }

        @Override
        public void verified(long offsetBytes, int lengthBytes, byte[] digest) {
            known.put(offsetBytes, digest);
        }

        @Override
        public void close() throws IOException {
            copy.close();
        }
    };

    private MirroringSource source() {
        new Random(3).nextBytes(data);
        return new MirroringSource(Storage.of(ByteBuffer.wrap(data)), target, LAYOUT);
    }

    @Test
    void writesEachPieceWhenItIsFirstRead() throws IOException {
        MirroringSource source = source();
        ByteBuffer piece = ByteBuffer.allocate(14).position(2).limit(12);
        source.read(20, piece);
        assertThat(piece.hasRemaining()).isFalse();
        source.read(20, ByteBuffer.allocate(10));
        source.read(90, ByteBuffer.allocate(5));
        assertThat(writes).hasValue(2);
        source.read(41, ByteBuffer.allocate(9));
        assertThat(writes).as("no whole piece").hasValue(2);
        source.read(45, ByteBuffer.allocate(30));
        assertThat(writes).as("pieces 5 and 6").hasValue(4);

        source.finish();
        assertThat(writes).hasValue(LAYOUT.pieceCount());
        assertThat(Trees.content(copy)).isEqualTo(data);
        source.finish();
        assertThat(writes).hasValue(LAYOUT.pieceCount());
    }

    @Test
    void triesAgainAfterAFailure() throws IOException {
        MirroringSource source = source();
        failures = 1;
        assertThatThrownBy(() -> source.read(0, ByteBuffer.allocate(10)))
                .isInstanceOf(IOException.class)
                .hasMessage("full");
        source.finish();
        assertThat(Trees.content(copy)).isEqualTo(data);
    }

    /** Of another version of the source, which an earlier run has left. */
    @Test
    void aPieceThatIsWrittenAnewHasItsNewDigest() throws IOException {
        byte[] old = {1};
        byte[] right = {2};
        known.put(20L, old);
        MirroringSource source = source();
        source.read(20, ByteBuffer.allocate(10));
        assertThat(writes).hasValue(0);

        source.verified(20, 10, right);
        source.finish();

        assertThat(known).containsEntry(20L, right);
        assertThat(Trees.content(copy)).isEqualTo(data);
    }

    @Test
    void readsFromTheSource() throws IOException {
        MirroringSource source = source();
        assertThat(Trees.content(source)).isEqualTo(data);
        assertThat(source.memory(0, 10)).isNotNull();
        assertThatThrownBy(() -> new MirroringSource(Storage.of(ByteBuffer.allocate(94)), target, LAYOUT))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

package org.robber.transport.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.robber.Storage;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.digest.PieceHashers;

class SideBySideTest {
    private static final int PIECE_BYTES = 8;
    private static final PieceHasher HASHER = PieceHashers.named("xxh3-128");

    /** Memory that remembers what was verified. */
    private static final class Part implements Storage {
        private final byte[] bytes;
        private final Storage storage;
        private final Map<Long, byte[]> verified = new HashMap<>();
        private boolean isClosed;

        Part(int... bytes) {
            this.bytes = new byte[bytes.length];
            for (int i = 0; i < bytes.length; i++) {
                this.bytes[i] = (byte) bytes[i];
            }
            this.storage = Storage.of(ByteBuffer.wrap(this.bytes));
        }

        @Override
        public long sizeBytes() {
            return bytes.length;
        }

        @Override
        public void read(long offsetBytes, ByteBuffer target) throws IOException {
            storage.read(offsetBytes, target);
        }

        @Override
        public void write(long offsetBytes, ByteBuffer source) throws IOException {
            storage.write(offsetBytes, source);
        }

        @Override
        public @Nullable ByteBuffer memory(long offsetBytes, int lengthBytes) {
            return storage.memory(offsetBytes, lengthBytes);
        }

        @Override
        public byte @Nullable [] verifiedDigest(long offsetBytes, int lengthBytes) {
            return verified.get(offsetBytes);
        }

        @Override
        public void verified(long offsetBytes, int lengthBytes, byte[] digest) {
            assertThat(digest).isEqualTo(HASHER.hash(ByteBuffer.wrap(bytes, (int) offsetBytes, lengthBytes)));
            verified.put(offsetBytes, digest);
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    private final Part first = new Part(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    private final Part empty = new Part();
    private final Part whole = new Part(11, 12, 13, 14, 15, 16, 17, 18);
    private final Part last = new Part(21, 22, 23);
    private final SideBySide all = new SideBySide(List.of(first, empty, whole, last), PIECE_BYTES, HASHER);

    @Test
    void eachBeginsWithAPiece() {
        assertThat(all.endBytes()).containsExactly(16L, 16L, 24L, 27L);
        assertThat(all.sizeBytes()).isEqualTo(27);
        assertThat(ends(empty, first, empty, empty)).as("nothing to fill up").containsExactly(0L, 10L, 10L, 10L);
        assertThat(ends(empty, empty, last, whole)).containsExactly(0L, 0L, 8L, 16L);
        assertThat(ends(empty, empty)).containsExactly(0L, 0L);
    }

    private static List<Long> ends(Part... parts) {
        return new SideBySide(List.of(parts), PIECE_BYTES, HASHER).endBytes();
    }

    @Test
    void zerosFillTheLastPieceAndAreNotKept() throws Exception {
        assertThat(read(0, 8)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(read(8, 8)).containsExactly(9, 10, 0, 0, 0, 0, 0, 0);
        assertThat(read(12, 2)).containsExactly(0, 0);
        assertThat(read(16, 8)).containsExactly(11, 12, 13, 14, 15, 16, 17, 18);
        assertThat(read(25, 2)).containsExactly(22, 23);
        ByteBuffer source = ByteBuffer.wrap(new byte[] {99, 98, 97, 96, 95, 94, 93, 92});
        all.write(8, source);
        assertThat(source.hasRemaining()).isFalse();
        assertThat(first.bytes).endsWith(8, 99, 98);
        assertThat(whole.bytes).startsWith(11);
    }

    @Test
    void rangesOutsideAreRefused() {
        assertThatThrownBy(() -> read(24, 4)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> read(12, 8)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> new SideBySide(List.of(), PIECE_BYTES, HASHER))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void memoryIsThatOfThePartWhereItHasAllBytes() {
        assertThat(all.memory(16, 8)).isEqualTo(ByteBuffer.wrap(whole.bytes));
        assertThat(all.memory(8, 8)).isNull();
    }

    /** The digest of a piece counts its zeros, and that of the part does not. */
    @Test
    void digestsAreThoseOfPieces() throws Exception {
        for (long offset : List.of(0L, 8L, 16L, 24L)) {
            int length = (int) Math.min(PIECE_BYTES, all.sizeBytes() - offset);
            byte[] digest = HASHER.hash(ByteBuffer.wrap(read(offset, length)));
            assertThat(all.verifiedDigest(offset, length)).isNull();
            all.verified(offset, length, digest);
            assertThat(all.verifiedDigest(offset, length)).isEqualTo(digest);
        }
        assertThat(first.verified).hasSize(2);
        assertThat(last.verified.get(0L)).isEqualTo(all.verifiedDigest(24, 3));
    }

    @Test
    void allAreClosed() throws Exception {
        all.close();
        assertThat(List.of(first, empty, whole, last)).allMatch(part -> part.isClosed);
    }

    private byte[] read(long offset, int length) throws Exception {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) -1);
        all.read(offset, ByteBuffer.wrap(bytes));
        return bytes;
    }
}

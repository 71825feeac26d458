package org.robber.transport.collective.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.Storage;

/** The places of the pieces of a call: here of a scatter from rank 0 to ranks 1 and 2, at rank 1. */
class PartStorageTest {
    private static final int PART_BYTES = 40;
    private static final int PIECE_BYTES = 32;

    private final ByteBuffer own = ByteBuffer.allocate(PART_BYTES);
    private final List<Part> parts = List.of(part(1, new Region(Storage.of(own), 0, PART_BYTES)), part(2, null));
    private final PartLayout layout = PartLayout.of(parts, PIECE_BYTES);
    private final PartStorage storage = new PartStorage(layout, parts);

    private static Part part(int wanter, Region target) {
        return new Part(PART_BYTES, ImmutableList.of(0), ImmutableList.of(wanter), null, target);
    }

    private static ByteBuffer bytes(int count, int first) {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        for (int i = 0; i < count; i++) {
            bytes.put(i, (byte) (first + i));
        }
        return bytes;
    }

    private ByteBuffer read(long offsetBytes, int count) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(count);
        storage.read(offsetBytes, target);
        return target.flip();
    }

    @Test
    void ownPiecesGoToTheBufferOfTheUser() throws IOException {
        storage.write(0, bytes(layout.pieceBytes(), 1));
        assertThat(own.get(layout.pieceBytes() - 1)).isEqualTo((byte) layout.pieceBytes());
        assertThat(storage.memory(0, layout.pieceBytes())).isNotNull();
    }

    @Test
    void piecesForOthersAreKeptUntilTheyAreSent() throws IOException {
        int half = layout.pieceBytes() / 2;
        long piece = (long) layout.firstPiece(1) * layout.pieceBytes();
        storage.write(piece + half, bytes(half, half));
        storage.write(piece, bytes(half, 0));
        assertThat(read(piece, layout.pieceBytes())).isEqualTo(bytes(layout.pieceBytes(), 0));
        assertThat(read(piece + half, half)).isEqualTo(bytes(half, half));
        assertThat(storage.memory(piece, layout.pieceBytes())).isNull();
        assertThat(own).isEqualTo(ByteBuffer.allocate(PART_BYTES));
    }

    @Test
    void thePaddingOfPiecesForOthersIsReadAsZeros() throws IOException {
        long last = (long) (layout.endPiece(1) - 1) * layout.pieceBytes();
        int data = layout.dataBytes(layout.endPiece(1) - 1);
        ByteBuffer sent =
                ByteBuffer.allocate(layout.pieceBytes()).put(bytes(data, 7)).clear();
        storage.write(last, sent.duplicate());
        assertThat(data).isLessThan(layout.pieceBytes());
        assertThat(read(last, layout.pieceBytes())).isEqualTo(sent);
    }

    @Test
    void aPieceForOthersThatHasNotComeCannotBeRead() {
        assertThatIllegalStateException().isThrownBy(() -> read((long) layout.firstPiece(1) * layout.pieceBytes(), 1));
    }
}

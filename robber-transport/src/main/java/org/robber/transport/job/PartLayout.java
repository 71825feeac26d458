package org.robber.transport.job;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.math.IntMath;
import java.math.RoundingMode;
import org.robber.core.piece.PieceLayout;

/**
 * The pieces of a collective call whose data consist of parts of equal size. No piece holds bytes of two parts, so the last piece of each
 * part is padded. The padding is less than the number of pieces of a part, in bytes.
 *
 * @param parts number of parts, at least 1
 * @param partBytes size of a part without padding, at least 1
 * @param piecesPerPart at least 1
 * @param pieceBytes size of every piece
 */
record PartLayout(int parts, int partBytes, int piecesPerPart, int pieceBytes) {

    /**
     * Divides parts into pieces.
     *
     * @param wantedPieceBytes size of pieces that fits all of the data
     */
    static PartLayout of(int parts, int partBytes, int wantedPieceBytes) {
        checkArgument(parts >= 1 && partBytes >= 1, "%s parts of %s bytes", parts, partBytes);
        int pieces = IntMath.divide(partBytes, wantedPieceBytes, RoundingMode.CEILING);
        return new PartLayout(parts, partBytes, pieces, IntMath.divide(partBytes, pieces, RoundingMode.CEILING));
    }

    int pieceCount() {
        return Math.multiplyExact(parts, piecesPerPart);
    }

    /** The padded data as one row of pieces. */
    PieceLayout pieces() {
        return new PieceLayout((long) pieceCount() * pieceBytes, pieceBytes);
    }

    /** Size of a part with its padding. */
    long paddedBytes() {
        return (long) piecesPerPart * pieceBytes;
    }
}

package org.robber.emulation.simulator;

import com.google.common.math.LongMath;
import java.math.RoundingMode;
import org.robber.core.piece.PieceLayout;

/** Pieces of a call whose data consist of equal parts, with the same number of pieces in each part. */
final class EvenParts {

    private EvenParts() {}

    /**
     * This layout, or one with smaller pieces of which each part has the same number. Parts are padded to whole pieces, as in the product. It
     * stays as it is where there are too many parts to give each a piece.
     *
     * @param parts number of equal parts
     */
    static PieceLayout of(PieceLayout layout, long parts) {
        long partBytes = LongMath.divide(layout.totalBytes(), parts, RoundingMode.CEILING);
        long piecesOfPart = LongMath.divide(partBytes, layout.pieceBytes(), RoundingMode.CEILING);
        long pieces = piecesOfPart * parts;
        if (parts == 1 || pieces == 0 || pieces > PieceLayout.MAX_PIECES) {
            return layout;
        }
        int pieceBytes = (int) LongMath.divide(partBytes, piecesOfPart, RoundingMode.CEILING);
        return new PieceLayout(pieces * pieceBytes, pieceBytes);
    }
}

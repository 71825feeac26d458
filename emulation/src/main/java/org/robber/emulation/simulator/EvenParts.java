package org.robber.emulation.simulator;

import com.google.common.math.LongMath;
import java.math.RoundingMode;
import org.robber.core.piece.PieceLayout;

/** Pieces of a call whose data consist of equal parts, with as many pieces in each part where parts have few. */
final class EvenParts {

    /** Parts of more pieces differ by less than a sixteenth, so they may have any number. */
    private static final int FEW_PIECES_OF_PART = 16;

    private EvenParts() {}

    /**
     * This layout, or one with smaller pieces of which each part has the same number. Parts are padded to whole pieces, as in the product.
     *
     * @param parts number of equal parts
     */
    static PieceLayout ifFew(PieceLayout layout, long parts) {
        return layout.pieceCount() / parts < FEW_PIECES_OF_PART ? always(layout, parts) : layout;
    }

    /** The same, however many pieces parts have. It stays as it is where there are too many parts to give each a piece. */
    static PieceLayout always(PieceLayout layout, long parts) {
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

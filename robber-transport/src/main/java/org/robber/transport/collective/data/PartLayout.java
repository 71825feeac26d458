package org.robber.transport.collective.data;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.math.LongMath;
import com.google.common.primitives.Ints;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import org.robber.core.piece.PieceLayout;

/**
 * The pieces of a call whose data consist of parts. No piece holds bytes of two parts, so the last piece of each part is padded. Pieces begin
 * at elements.
 */
public final class PartLayout {
    /** A multiple of the size of each element, and of pairs of them. */
    private static final int ALIGNMENT_BYTES = 16;

    private final long[] sizesBytes;

    /** The first piece of each part, and at the end the number of pieces. */
    private final int[] firstPieces;

    private final int pieceBytes;

    private PartLayout(long[] sizesBytes, int pieceBytes) {
        this.sizesBytes = sizesBytes;
        this.pieceBytes = pieceBytes;
        this.firstPieces = new int[sizesBytes.length + 1];
        long pieces = 0;
        for (int part = 0; part < sizesBytes.length; part++) {
            pieces += LongMath.divide(sizesBytes[part], pieceBytes, RoundingMode.CEILING);
            checkArgument(
                    pieces <= PieceLayout.MAX_PIECES,
                    "the data have more than %s pieces of %s bytes",
                    PieceLayout.MAX_PIECES,
                    pieceBytes);
            firstPieces[part + 1] = (int) pieces;
        }
    }

    /**
     * Divides parts into pieces.
     *
     * @param wantedPieceBytes size of pieces that fits all of the data; pieces are smaller if the largest part then has less padding
     */
    public static PartLayout of(List<Part> parts, int wantedPieceBytes) {
        return of(parts.stream().mapToLong(Part::sizeBytes).toArray(), wantedPieceBytes);
    }

    /** As {@link #of(List, int)}, for parts of these sizes. */
    public static PartLayout of(long[] sizes, int wantedPieceBytes) {
        long largest = Arrays.stream(sizes).max().orElse(0);
        checkArgument(largest > 0, "no data");
        long pieces = LongMath.divide(largest, wantedPieceBytes, RoundingMode.CEILING);
        long fitting = LongMath.divide(largest, pieces, RoundingMode.CEILING);
        return new PartLayout(sizes, Ints.checkedCast(aligned(fitting)));
    }

    /** The next lower size at which elements begin. */
    public static long alignedDown(long bytes) {
        return bytes - bytes % ALIGNMENT_BYTES;
    }

    /** The size of so many equal slices, but for the last ones. They begin at elements. */
    public static long sliceBytes(long totalBytes, int count) {
        return aligned(LongMath.divide(totalBytes, count, RoundingMode.CEILING));
    }

    static long aligned(long bytes) {
        return LongMath.divide(bytes, ALIGNMENT_BYTES, RoundingMode.CEILING) * ALIGNMENT_BYTES;
    }

    /** The padded data as one row of pieces. */
    public PieceLayout pieces() {
        return new PieceLayout((long) pieceCount() * pieceBytes, pieceBytes);
    }

    /** The size of each piece; the last of a part is padded. */
    public int pieceBytes() {
        return pieceBytes;
    }

    public int pieceCount() {
        return firstPieces[sizesBytes.length];
    }

    /** The number of the first piece of a part. */
    public int firstPiece(int part) {
        return firstPieces[part];
    }

    /** The number behind the last piece of a part. */
    public int endPiece(int part) {
        return firstPieces[part + 1];
    }

    /** The part that a byte of the padded data belongs to. */
    int partAt(long offsetBytes) {
        int piece = (int) (offsetBytes / pieceBytes);
        int found = Arrays.binarySearch(firstPieces, piece);
        int part = found >= 0 ? found : -found - 2;
        // Parts without bytes begin where the next one does.
        while (firstPieces[part + 1] == firstPieces[part]) {
            part++;
        }
        return part;
    }

    /** Where a byte of the padded data lies in its part; at or behind the end of the part if it is padding. */
    long offsetInPart(long offsetBytes, int part) {
        return offsetBytes - (long) firstPieces[part] * pieceBytes;
    }

    /** Where a piece begins in the data without padding. */
    public long offsetWithoutPadding(int piece) {
        int part = partAt((long) piece * pieceBytes);
        return Arrays.stream(sizesBytes, 0, part).sum() + (long) (piece - firstPieces[part]) * pieceBytes;
    }

    /** How many bytes of a piece are no padding. */
    public int dataBytes(int piece) {
        int part = partAt((long) piece * pieceBytes);
        return (int) Math.min(pieceBytes, sizesBytes[part] - (long) (piece - firstPieces[part]) * pieceBytes);
    }
}

package org.robber.core.piece;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkElementIndex;

import org.robber.core.tuning.Tuning;

/**
 * How data is cut into pieces: all of the same length but the last, which may be shorter. Data of zero bytes has no
 * pieces.
 *
 * @param totalBytes size of the data, at least 0
 * @param pieceBytes size of every piece but the last, at least 1
 */
public record PieceLayout(long totalBytes, int pieceBytes) {

    /** No layout has more pieces than this: the hard limit for every count of pieces on the wire and in memory. */
    public static final int MAX_PIECES = 1 << 24;

    public PieceLayout {
        checkArgument(totalBytes >= 0, "totalBytes: %s", totalBytes);
        checkArgument(pieceBytes >= 1, "pieceBytes: %s", pieceBytes);
        checkArgument(
                (totalBytes - 1) / pieceBytes < MAX_PIECES,
                "%s bytes in pieces of %s bytes are more than %s pieces",
                totalBytes,
                pieceBytes,
                MAX_PIECES);
    }

    /**
     * The layout to use when no piece size is given.
     *
     * <p>Inside one cluster: the smallest power of two from 32 KiB on that gives at most 512 pieces, which spread well; but
     * beyond 512 KiB only as large as 4,096 pieces demand; and at most 4 MiB, unless {@link #MAX_PIECES} demands more. Each
     * piece costs messages at every node.
     *
     * <p>Between clusters, all nodes wait at the end for the slowest line. So each line gets 256 to 512 pieces, and the wait for
     * the last one takes less than a hundredth of the time. No piece is shorter than 32 KiB.
     *
     * @param totalBytes size of the data, 0..2^54
     * @param bytesOfCluster what enters or leaves the busiest cluster, up to {@code totalBytes}
     * @param linesIntoCluster connections that lead into one cluster from others; 0 if there is but one
     */
    public static PieceLayout automatic(long totalBytes, long bytesOfCluster, int linesIntoCluster) {
        checkArgument(linesIntoCluster >= 0, "linesIntoCluster: %s", linesIntoCluster);
        int pieceBytes = Tuning.SMALLEST_PIECE_BYTES;
        long pieceBytesForLines =
                linesIntoCluster == 0 ? totalBytes : bytesOfCluster / Tuning.PIECES_PER_LINE / linesIntoCluster;
        while (pieceBytes < Tuning.LARGEST_PIECE_BYTES_FOR_FEW && totalBytes > (long) pieceBytes * Tuning.FEW_PIECES) {
            pieceBytes *= 2;
        }
        while (pieceBytes < Tuning.LARGEST_PIECE_BYTES && totalBytes > (long) pieceBytes * Tuning.MANY_PIECES) {
            pieceBytes *= 2;
        }
        while (pieceBytes > Tuning.SMALLEST_PIECE_BYTES && pieceBytes > pieceBytesForLines) {
            pieceBytes /= 2;
        }
        return new PieceLayout(totalBytes, enough(totalBytes, pieceBytes));
    }

    /** The same for data that as a whole enter or leave a cluster. */
    public static PieceLayout automatic(long totalBytes, int linesIntoCluster) {
        return automatic(totalBytes, totalBytes, linesIntoCluster);
    }

    /**
     * The layout to use when no piece size is given and all nodes are on one machine: the smallest power of two from
     * 32 KiB on that gives at most 64 pieces, but at most 4 MiB, unless {@link #MAX_PIECES} demands more. There is no slow line to
     * wait for, while each piece costs processor time.
     *
     * @param totalBytes size of the data, 0..2^54
     */
    public static PieceLayout insideMachine(long totalBytes) {
        int pieceBytes = Tuning.SMALLEST_PIECE_BYTES;
        while (pieceBytes < Tuning.LARGEST_PIECE_BYTES
                && totalBytes > (long) pieceBytes * Tuning.PIECES_INSIDE_MACHINE) {
            pieceBytes *= 2;
        }
        return new PieceLayout(totalBytes, enough(totalBytes, pieceBytes));
    }

    /** The piece size, doubled until there are not too many pieces. */
    private static int enough(long totalBytes, int pieceBytes) {
        int enough = pieceBytes;
        while (enough < 1 << 30 && totalBytes > (long) enough * MAX_PIECES) {
            enough *= 2;
        }
        return enough;
    }

    /** Number of pieces. */
    public int pieceCount() {
        return (int) ((totalBytes + pieceBytes - 1) / pieceBytes);
    }

    /** Where the piece begins in the data. */
    public long offsetBytes(int piece) {
        checkElementIndex(piece, pieceCount(), "piece");
        return (long) piece * pieceBytes;
    }

    /** Length of this piece: {@link #pieceBytes}, or less for the last one. */
    public int lengthBytes(int piece) {
        return (int) Math.min(pieceBytes, totalBytes - offsetBytes(piece));
    }
}

package org.robber.cli.replicate;

import java.util.List;
import org.robber.cli.message.Fields;
import org.robber.core.piece.PieceLayout;

/**
 * How a transfer begins, as rank 0 tells all.
 *
 * @param resumes whether any node has verified pieces of an interrupted run
 * @param pieceBytes if nodes compare files of earlier copies with the source: in pieces of this size; else 0
 */
record Start(boolean resumes, int pieceBytes) {

    /** A comparison cuts the data into no more pieces than this, unless it is told otherwise. */
    private static final int MOST_PIECES = 1 << 16;

    private static final int SMALLEST_PIECE_BYTES = 8 << 10;

    /** Digests of more pieces take too much memory. */
    private static final int MOST_PIECES_COMPARED = 1 << 20;

    /** Whether nodes compare files of earlier copies with the source. */
    boolean compares() {
        return pieceBytes > 0;
    }

    /**
     * Decides. A piece with a changed byte is sent as a whole, so pieces are small if most nodes have most of the data.
     *
     * @param formerBytes what each node but rank 0 may have in earlier copies
     * @param layout the pieces if nothing is compared
     * @param mayCut whether the size of pieces is free
     */
    static Start of(boolean resumes, List<Long> formerBytes, PieceLayout layout, boolean mayCut) {
        long most = formerBytes.stream().mapToLong(Long::longValue).max().orElse(0);
        long halves = formerBytes.stream()
                .filter(bytes -> bytes >= layout.totalBytes() / 2)
                .count();
        if (most == 0 || layout.pieceCount() > MOST_PIECES_COMPARED) {
            return new Start(resumes, 0);
        }
        int pieceBytes = layout.pieceBytes();
        if (mayCut && 2 * halves >= formerBytes.size()) {
            int small = SMALLEST_PIECE_BYTES;
            while (small < pieceBytes && layout.totalBytes() > (long) small * MOST_PIECES) {
                small *= 2;
            }
            pieceBytes = Math.min(pieceBytes, small);
        }
        return new Start(resumes, pieceBytes);
    }

    byte[] toBytes() {
        return Fields.write(out -> {
            out.writeBoolean(resumes);
            out.writeInt(pieceBytes);
        });
    }

    static Start fromBytes(byte[] bytes) {
        return Fields.read(bytes, "the start of a transfer", in -> new Start(in.readBoolean(), in.readInt()));
    }
}

package org.robber.bench.loopback;

import java.util.Arrays;
import java.util.List;
import org.robber.core.piece.PieceLayout;

/**
 * One row of the comparison.
 *
 * @param receivers how many processes receive the data, at least 1; one more sends it
 * @param sizeBytes size of the data
 */
record LoopbackCase(int receivers, long sizeBytes) {

    /** Reads a list such as {@code 1:1G,8:256M}: receivers and size. */
    static List<LoopbackCase> parseAll(String text) {
        return Arrays.stream(text.split(",", -1)).map(LoopbackCase::parse).toList();
    }

    /** Reads one such as {@code 8:256M}. */
    static LoopbackCase parse(String text) {
        if (!text.matches("[1-9][0-9]{0,3}:[^:]+")) {
            throw new IllegalArgumentException("'" + text + "' is not receivers and size, such as 8:256M");
        }
        int colon = text.indexOf(':');
        return new LoopbackCase(Integer.parseInt(text.substring(0, colon)), DataSize.parse(text.substring(colon + 1)));
    }

    /** All processes together. */
    int processes() {
        return receivers + 1;
    }

    /** Size of the data times receivers: what a run delivers. */
    long deliveredBytes() {
        return receivers * sizeBytes;
    }

    /** As {@link #deliveredBytes}, in pieces of this size, or of the size that nodes on one machine choose if it is 0. */
    long deliveredPieces(int pieceBytes) {
        PieceLayout layout =
                pieceBytes == 0 ? PieceLayout.insideMachine(sizeBytes) : new PieceLayout(sizeBytes, pieceBytes);
        return (long) receivers * layout.pieceCount();
    }

    @Override
    public String toString() {
        return receivers + ":" + DataSize.format(sizeBytes);
    }
}

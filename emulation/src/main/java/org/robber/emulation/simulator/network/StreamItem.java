package org.robber.emulation.simulator.network;

import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.Message;

/** A message, or bytes of a piece, in the stream of a connection. */
final class StreamItem {
    /** The message; null for bytes of a piece. */
    final @Nullable Message message;

    final int piece;

    /** How many pieces waited behind this one when it entered the stream. */
    final int waiting;

    long unsentBytes;

    /** Whether the piece ends with it. */
    boolean endsPiece;

    @Nullable
    StreamItem next;

    private StreamItem(@Nullable Message message, int piece, int waiting, int bytes) {
        this.message = message;
        this.piece = piece;
        this.waiting = waiting;
        this.unsentBytes = bytes;
    }

    static StreamItem message(Message message, int bytes) {
        return new StreamItem(message, -1, 0, bytes);
    }

    static StreamItem piece(int piece, int waiting) {
        return new StreamItem(null, piece, waiting, 0);
    }
}

package org.robber.emulation.simulator.network;

import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.Message;

/** A message, or bytes of a piece, in the stream of a connection. */
final class Item {
    /** The message; null for bytes of a piece. */
    final @Nullable Message message;

    final int piece;
    long unsentBytes;

    /** Whether the piece ends with it. */
    boolean endsPiece;

    @Nullable
    Item next;

    private Item(@Nullable Message message, int piece, int bytes) {
        this.message = message;
        this.piece = piece;
        this.unsentBytes = bytes;
    }

    static Item message(Message message, int bytes) {
        return new Item(message, -1, bytes);
    }

    static Item piece(int piece) {
        return new Item(null, piece, 0);
    }
}

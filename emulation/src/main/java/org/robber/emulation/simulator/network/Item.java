package org.robber.emulation.simulator.network;

import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.Message;

/** A message, or a block of a piece, in the stream of a connection. */
final class Item {
    final @Nullable Message message;
    final int piece;
    final boolean endsPiece;
    int unsentBytes;

    @Nullable
    Item next;

    private Item(@Nullable Message message, int piece, boolean endsPiece, int bytes) {
        this.message = message;
        this.piece = piece;
        this.endsPiece = endsPiece;
        this.unsentBytes = bytes;
    }

    static Item message(Message message, int bytes) {
        return new Item(message, -1, false, bytes);
    }

    static Item block(int piece, boolean endsPiece, int bytes) {
        return new Item(null, piece, endsPiece, bytes);
    }
}

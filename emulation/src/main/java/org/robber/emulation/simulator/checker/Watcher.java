package org.robber.emulation.simulator.checker;

import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;

/**
 * Told all that nodes do and are told, as it happens and before it has any effect. Throws {@link BrokenPromiseException}
 * if that must not be.
 */
public interface Watcher {

    /** A node sends a message. */
    default void sent(int fromRank, int toRank, Message message) {}

    /** A node hears a message. */
    default void received(int rank, int fromRank, Message message) {}

    /** A node sends a piece. */
    default void pieceSent(int fromRank, int toRank, int piece) {}

    /** A node has a piece from now on, or once more. */
    default void pieceStored(int rank, int fromRank, int piece) {}

    /** A node says that it has everything. */
    default void completed(int rank) {}

    /** A node says that it has everything but these pieces, which will not come. */
    default void givenUp(int rank, PieceSet pieces) {}

    /** A node begins anew, with these pieces. */
    default void restarted(int rank, PieceSet kept) {}

    /** A watcher that tells this one first and then the other. */
    default Watcher and(Watcher other) {
        return new BothWatchers(this, other);
    }
}

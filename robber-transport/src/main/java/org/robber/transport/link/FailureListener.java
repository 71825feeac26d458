package org.robber.transport.link;

import java.util.Set;
import org.robber.core.piece.PieceSet;

/** Told of failures of a transfer. */
public interface FailureListener {
    /** This node's storage or a machine failed. */
    void here(Throwable cause);

    /**
     * The peer sent data that cannot be used; nothing more is accepted from it.
     *
     * @param left the ranks of all peers that are left
     */
    void peer(int rank, String why, Set<Integer> left);

    /** After a loss, no peer offers these pieces, and none is on its way. */
    void starved(PieceSet pieces);
}

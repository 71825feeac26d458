package org.robber.emulation.simulator;

import org.robber.core.piece.PieceSet;

/** Is told of the progress of all nodes. */
interface ProgressListener {
    /** Ignores everything. */
    ProgressListener NONE = new ProgressListener() {};

    /** The node lacks these pieces and receives nothing. */
    default void starved(int rank, PieceSet pieces) {}

    /** The node got a piece. */
    default void progressed(int rank) {}

    /** The node has everything. */
    default void completed(int rank) {}
}

package org.robber.emulation.simulator;

import org.robber.core.piece.PieceSet;

/** Hears of the progress of all nodes. */
interface ProgressListener {
    /** Nobody is interested. */
    ProgressListener NOBODY = new ProgressListener() {};

    /** The node starves: it lacks these pieces, and nothing comes. */
    default void starved(int rank, PieceSet pieces) {}

    /** The node got a piece. */
    default void progressed(int rank) {}

    /** The node has everything. */
    default void completed(int rank) {}
}

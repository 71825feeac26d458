package org.robber.core.node;

import java.util.List;
import org.robber.core.piece.PieceSet;

/**
 * A multicast strategy as a state machine: no clock, socket, thread or hidden randomness. Not thread-safe; a driver calls
 * it from one thread at a time and performs the returned actions before the next call.
 *
 * <p>Piece bytes never enter it: the driver receives, verifies and stores them and then reports {@link Event.PieceStored}.
 */
public interface MulticastNode {

    /**
     * Begins the multicast. Called once, before any {@link #handle}.
     *
     * @param nowNanos monotonic time in nanoseconds from an arbitrary origin
     * @return actions to perform, in order
     */
    List<Action> start(long nowNanos);

    /**
     * Applies one event and returns what the driver must do next, in order.
     *
     * @param nowNanos monotonic time in nanoseconds from an arbitrary origin; never decreases between calls
     * @param event what happened since the last call
     * @return actions to perform once this call has returned; empty if none
     */
    List<Action> handle(long nowNanos, Event event);

    /** The pieces this node possesses now; a live view that must not be changed. */
    PieceSet possession();

    /** Counters of what this node has done so far. */
    NodeCounters counters();
}

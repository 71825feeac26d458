package org.robber.core.node;

/** The timers of a node: one slot per key, setting replaces, so that none can fire stale. */
public enum TimerKey {
    /** Try again to steal work after a round in which nobody had any to spare. */
    STEAL_AGAIN,
    /** BitTorrent: decide anew whom to choke. */
    RECHOKE
}

package org.robber.core.node;

/** The timers of a node: one slot per key, setting replaces, so that none can fire stale. */
public enum TimerKey {
    /** BitTorrent: decide anew whom to choke. */
    RECHOKE(1),
    /** Trees: a piece is due to leave. */
    SEND_DUE(2),
    /** Robber and MOB: look whether a lost mate left work behind. */
    ORPHANED_WORK(3),
    /** After a loss: look whether anything comes still. */
    NO_PROGRESS(4);

    private final int code;

    TimerKey(int code) {
        this.code = code;
    }

    /** The number of this timer in traces. */
    int code() {
        return code;
    }
}

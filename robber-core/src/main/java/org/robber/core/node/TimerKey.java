package org.robber.core.node;

/** The timers of a node. Each key has one deadline, and a new deadline replaces the old one. */
public enum TimerKey {
    /** BitTorrent: decide anew whom to choke. */
    RECHOKE(1),
    /** Trees: a piece is due to leave. */
    SEND_DUE(2),
    /** Robber and MOB: take over pieces that a lost cluster mate left behind. */
    ORPHANED_WORK(3),
    /** After a loss: report missing pieces if nothing has come. */
    NO_PROGRESS(4),
    /** Robber and MOB: a cluster mate whose connection ended has had time to come back. */
    ABSENT_MATE(5);

    private final int code;

    TimerKey(int code) {
        this.code = code;
    }

    /** The number of this timer in traces. */
    int code() {
        return code;
    }
}

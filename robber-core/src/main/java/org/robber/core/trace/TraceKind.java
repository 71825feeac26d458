package org.robber.core.trace;

/** The kinds of trace events, with their codes in the hash of a trace. */
public enum TraceKind {
    STARTED(1),
    PEER_READY(2),
    PEER_LOST(3),
    RECEIVED(4),
    PIECE_STORED(5),
    PIECE_CORRUPT(6),
    TIMER_FIRED(7),
    SENT(8),
    PIECE_SENT(9),
    PIECE_CANCELLED(10),
    TIMER_SET(11),
    DISCONNECTED(12),
    COMPLETED(13),
    FINISHED(14),
    PEER_STALLED(15),
    NODE_LOST(16),
    GIVEN_UP(17),
    STARVED(18),
    INCOMPLETE(19),
    PEER_REVIVED(20),
    PIECE_PRODUCED(21);

    private final int code;

    TraceKind(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}

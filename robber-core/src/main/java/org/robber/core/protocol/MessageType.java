package org.robber.core.protocol;

import org.jspecify.annotations.Nullable;

/** The kinds of messages between peers, with their code on the wire. Codes are never reused. */
public enum MessageType {
    BITFIELD(1),
    HAVE(2),
    REQUEST(3),
    PIECE(4),
    DESIRE(5),
    STEAL(6),
    WORK(7),
    FOUND_WORK(8),
    DONE(9),
    STOP(10),
    REJECT(11),
    CANCEL(12),
    BEGIN(13),
    KEEP_ALIVE(14),
    ABORT(15),
    CHOKE(16),
    UNCHOKE(17),
    INTERESTED(18),
    NOT_INTERESTED(19);

    private static final @Nullable MessageType[] BY_CODE = new @Nullable MessageType[256];

    static {
        for (MessageType type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    private final int code;

    MessageType(int code) {
        this.code = code;
    }

    /** The code of this type on the wire, 1..255. */
    public int code() {
        return code;
    }

    /** The type with this code, or null if there is none. */
    public static @Nullable MessageType ofCode(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }
}

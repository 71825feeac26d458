package org.robber.core.wire;

/**
 * Bytes that are no message. A reader cannot find the next message after an error, so it closes this connection, and no other. The
 * message is for the log: it names field and limits, and never
 * repeats bytes of the peer.
 */
public final class WireException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final WireError error;

    public WireException(WireError error, String message) {
        super(message);
        this.error = error;
    }

    /** In which way the bytes broke the protocol. */
    public WireError error() {
        return error;
    }
}

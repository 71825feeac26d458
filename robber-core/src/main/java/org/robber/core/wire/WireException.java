package org.robber.core.wire;

/**
 * Bytes that are no message. Its scope is the connection: once the stream is out of step there is no way back, so the
 * receiver closes this connection, and this one alone. The message is for the log: it names field and limits, and never
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

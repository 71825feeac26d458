package org.robber.core.transfer;

/**
 * A peer said what it must not say. Thrown before anything was changed, and caught by the node, which drops the peer: it
 * never reaches a driver.
 */
public final class ProtocolBreach extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ProtocolBreach(String why) {
        super(why, null, false, false);
    }

    /** What the peer did wrong, for people. */
    public String why() {
        return String.valueOf(getMessage());
    }

    /** Demands what the protocol demands of a peer. */
    public static void unless(boolean condition, String why) {
        if (!condition) {
            throw new ProtocolBreach(why);
        }
    }
}

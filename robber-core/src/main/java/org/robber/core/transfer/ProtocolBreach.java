package org.robber.core.transfer;

/**
 * A message that breaks the protocol. It is thrown before any state changes. The node catches it and drops the peer, so it never
 * reaches a driver.
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

    /** Throws a breach unless the condition holds. */
    public static void unless(boolean condition, String why) {
        if (!condition) {
            throw new ProtocolBreach(why);
        }
    }
}

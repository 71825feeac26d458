package org.robber.core.wire;

/** The hard limits of everything on the wire whose length varies, in bytes; strings count in UTF-8. */
public final class WireLimits {

    /** Longest block of a piece in one frame. */
    public static final int MAX_BLOCK_BYTES = 1 << 22;

    /** Longest digest of a piece. */
    public static final int MAX_DIGEST_BYTES = 64;

    /** Longest name: of a job, a cluster, a host, an address, a strategy, a collective call, a phase, a topic. */
    public static final int MAX_NAME_BYTES = 1 << 10;

    /** Longest text for people, and longest settings. */
    public static final int MAX_TEXT_BYTES = 1 << 13;

    /** Longest payload of a control message. */
    public static final int MAX_PAYLOAD_BYTES = 1 << 20;

    /** Longest frame with a roster. */
    public static final int MAX_ROSTER_FRAME_BYTES = 1 << 24;

    private WireLimits() {}
}

package org.robber.emulation.testbed.wan;

/** Why a packet came to no link, or not out of it. */
enum Refusal {
    /** Not of IP version 4. */
    OTHER_PROTOCOL,
    /** Shorter than its header says, or than a header. */
    MALFORMED,
    /** For a multicast group. */
    MULTICAST,
    /** In the subnet of no other cluster, or of one that no link leads to. */
    UNREACHABLE,
    /** Larger than the MTU. */
    OVERSIZED,
    /** All places for packets were taken: more was under way than the limits of all queues together foresaw. */
    NO_ROOM,
    /** The router's device did not take it. */
    UNDELIVERABLE
}

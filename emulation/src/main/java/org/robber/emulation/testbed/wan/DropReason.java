package org.robber.emulation.testbed.wan;

/** Why a packet was dropped before a link or behind it. */
enum DropReason {
    /** Not of IP version 4. */
    OTHER_PROTOCOL,
    /** Shorter than the length in its header, or than a header. */
    MALFORMED,
    /** For a multicast group. */
    MULTICAST,
    /** In the subnet of no other cluster, or of one that no link leads to. */
    UNREACHABLE,
    /** Larger than the MTU. */
    OVERSIZED,
    /** No free place: more packets were on their way than all queue limits together allow. */
    NO_ROOM,
    /** The router's device did not take it. */
    UNDELIVERABLE
}

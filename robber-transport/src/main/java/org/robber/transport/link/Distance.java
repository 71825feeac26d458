package org.robber.transport.link;

/** How far a peer is away, as far as is known before anything was sent. */
public enum Distance {
    /** A process of the same machine: what is sent is copied in memory, and nothing waits for a line. */
    SAME_MACHINE,
    /** In the same cluster: a fast line. */
    SAME_CLUSTER,
    /** In another cluster: perhaps a slow line. */
    OTHER_CLUSTER
}

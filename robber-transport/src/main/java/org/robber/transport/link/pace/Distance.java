package org.robber.transport.link.pace;

/** The distance to a peer, as far as it is known before anything was sent. */
public enum Distance {
    /** A process of the same machine: data are copied in memory. */
    SAME_MACHINE,
    /** In the same cluster: a fast line. */
    SAME_CLUSTER,
    /** In another cluster: perhaps a slow line. */
    OTHER_CLUSTER
}

package org.robber;

/** What tells which nodes are a cluster. Rank 0 decides, and all nodes hear of it. */
public enum ClusterBy {
    /**
     * Names that nodes have are their clusters. Nodes without one are a cluster if they are in one subnet. Several subnets are compared
     * by the round-trip times between them, and those that are near each other are one cluster.
     */
    AUTO,
    /** Each subnet is a cluster, /24 in IPv4 and /64 in IPv6, whatever names nodes have. */
    SUBNET,
    /** Hosts that are near each other by their round-trip times are a cluster, whatever their subnets and names. */
    RTT,
    /** Nodes at one leaf switch are a cluster, by what Slurm tells each of them. */
    SWITCH,
    /** Only the names that nodes have; a node without one is an error. */
    ENV
}

package org.robber.emulation.testbed;

/** What is between the clusters of a testbed. */
public enum WanKind {
    /** netem where the kernel has it, else a process of ours. */
    AUTO,
    /** The kernel's netem and HTB. */
    NETEM,
    /** A process of ours, with a TUN device for each cluster. */
    TUN
}

package org.robber.emulation.testbed;

import com.google.common.base.Ascii;

/** The kind of network between the clusters of a testbed; users write the names in lower case. */
public enum WanKind {
    /** A process of the testbed, with a TUN device for each cluster. */
    TUN,
    /** The kernel's netem and HTB. Not every kernel has them, and the published figures were not measured with them. */
    NETEM;

    /** As users write it. */
    @Override
    public String toString() {
        return Ascii.toLowerCase(name());
    }
}

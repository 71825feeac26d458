package org.robber.emulation.scenario;

import com.google.common.base.Ascii;

/** Which traffic passes a node's card. */
public enum NicScope {
    /** The card carries the cluster's local traffic as well. */
    ALL,
    /** The card carries only traffic with other clusters; local traffic has a network of its own. */
    WAN;

    /** Its name in scenario files. */
    String word() {
        return Ascii.toLowerCase(name());
    }
}

package org.robber.emulation.scenario;

/** Which traffic passes a node's card. */
public enum NicScope {
    /** The card carries the cluster's local traffic as well. */
    ALL,
    /** The card carries only what leaves or enters the cluster; local traffic has a network of its own. */
    WAN
}

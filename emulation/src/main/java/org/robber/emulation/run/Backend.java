package org.robber.emulation.run;

/** What a scenario runs in. */
public enum Backend {
    /** The machines of robber-core under virtual time. */
    SIMULATOR,
    /** Real processes in network namespaces. */
    TESTBED
}

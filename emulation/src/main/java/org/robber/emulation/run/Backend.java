package org.robber.emulation.run;

/** Where a scenario runs. */
public enum Backend {
    /** The machines of robber-core under virtual time. */
    SIMULATOR,
    /** Real processes in network namespaces. */
    TESTBED
}

package org.robber.cli;

import java.util.Locale;

/** What runs are done in; the names in lower case are what users write. */
enum ExperimentBackend {
    /** The simulator. */
    SIM,
    /** Real processes in network namespaces. */
    TESTBED;

    /** As users write it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

package org.robber.cli.report;

import java.util.Locale;

/** How results are printed; the names in lower case are what users write. */
public enum OutputFormat {
    /** A table for people. */
    TEXT,
    /** JSON for programs. */
    JSON;

    /** As users write it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

package org.robber.cli.progress;

import java.util.Locale;

/** Ways to show how far a job is; the names in lower case are what users write. */
public enum ProgressMode {
    /** A bar on a terminal, plain lines elsewhere. */
    AUTO,
    /** One line, drawn over again and again. */
    BAR,
    /** A line every few seconds. */
    PLAIN,
    /** A line of JSON every second. */
    JSON,
    /** Nothing. */
    NONE;

    /** As users write it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

package org.robber.emulation.runner;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An experiment cannot begin, or ended before its last run. */
public final class ExperimentException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final String phase;

    /** Kinds of failures. */
    public enum Reason {
        /** A scenario has an error. */
        USAGE,
        /** A scenario cannot be read. */
        SOURCE,
        /** A report, journal or trace cannot be written; if the cause is an {@link IOException}, it says why. */
        DESTINATION,
        /** The testbed cannot be made or does not work. */
        NETWORK,
        /** The time limit of the experiment has passed. */
        DEADLINE,
        /** A run failed by an error of the program. */
        INTERNAL
    }

    ExperimentException(Reason reason, String phase, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
        this.phase = phase;
    }

    /** The kind of failure. */
    public Reason reason() {
        return reason;
    }

    /** The step that failed, such as {@code read scenarios}. */
    public String phase() {
        return phase;
    }
}

package org.robber.emulation.runner;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The time limit of an experiment.
 *
 * @param endNanos when it passes, as {@link System#nanoTime} tells the time; null if there is none
 */
record ExperimentLimit(@Nullable Long endNanos) {

    /** A limit that begins now, or none. */
    static ExperimentLimit of(@Nullable Duration limit) {
        return new ExperimentLimit(limit == null ? null : System.nanoTime() + limit.toNanos());
    }

    /** How long it is to go; not more than 0 if it has passed. */
    long leftNanos() {
        return endNanos == null ? Long.MAX_VALUE : endNanos - System.nanoTime();
    }
}

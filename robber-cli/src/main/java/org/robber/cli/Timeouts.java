package org.robber.cli;

import java.time.Duration;
import org.robber.JobOptions;

/**
 * How long a node waits for others.
 *
 * @param connect until all are there
 * @param idle for a word from a node, before it counts as lost
 * @param stall while nothing moves anywhere, before those that are not done count as lost
 */
record Timeouts(Duration connect, Duration idle, Duration stall) {

    /** The options of a job with these. */
    JobOptions of(JobOptions options) {
        return options.withConnectTimeout(connect).withSilenceTimeout(idle).withStallTimeout(stall);
    }
}

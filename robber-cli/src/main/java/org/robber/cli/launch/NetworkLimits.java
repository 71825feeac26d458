package org.robber.cli.launch;

import java.time.Duration;
import org.robber.JobOptions;
import org.robber.SendLimits;

/**
 * How long a node waits for others, and how fast it sends.
 *
 * @param connect until all nodes are connected
 * @param idle for any message of a node, before it is lost
 * @param stall while no node makes progress, before incomplete nodes are lost
 * @param limits how fast the node sends
 */
public record NetworkLimits(Duration connect, Duration idle, Duration stall, SendLimits limits) {

    /** The options of a job with these. */
    JobOptions of(JobOptions options) {
        return options.withConnectTimeout(connect)
                .withSilenceTimeout(idle)
                .withStallTimeout(stall)
                .withSendLimits(limits);
    }
}

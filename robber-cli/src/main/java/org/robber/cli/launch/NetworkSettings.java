package org.robber.cli.launch;

import java.time.Duration;
import java.util.List;
import org.robber.ClusterBy;
import org.robber.DataAddress;
import org.robber.JobOptions;
import org.robber.SendLimits;

/**
 * How long a node waits for others, how fast it sends, and where it listens.
 *
 * @param connect until all nodes are connected
 * @param idle for any message of a node, before it is lost
 * @param stall while no node makes progress, before incomplete nodes are lost
 * @param limits how fast the node sends
 * @param data where the node listens for data
 * @param congestion name of the congestion control, or empty
 * @param relays as in {@link JobOptions#relays}
 * @param clusterBy what tells which nodes are a cluster
 */
public record NetworkSettings(
        Duration connect,
        Duration idle,
        Duration stall,
        SendLimits limits,
        DataAddress data,
        String congestion,
        List<String> relays,
        ClusterBy clusterBy) {

    /** The same, with another place for data. */
    NetworkSettings at(DataAddress newData) {
        return new NetworkSettings(connect, idle, stall, limits, newData, congestion, relays, clusterBy);
    }

    /** The options of a job with these. */
    public JobOptions of(JobOptions options) {
        return options.withConnectTimeout(connect)
                .withSilenceTimeout(idle)
                .withStallTimeout(stall)
                .withSendLimits(limits)
                .withDataAddress(data)
                .withCongestion(congestion)
                .withRelays(relays)
                .withClusterBy(clusterBy);
    }
}

package org.robber.cli.report;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.robber.RobberException.Reason;
import org.robber.cli.report.JobReport.Node;
import org.robber.cli.report.JobReport.NodeStatus;

/**
 * A node that was to take part in a job and could not be started.
 *
 * @param host where, as the user has named it
 * @param cluster of the node, or empty if the user has named none
 * @param message why not
 */
public record AbsentNode(String host, String cluster, String message) {

    private static final int LONGEST_MESSAGE = 4096;
    private static final String UNKNOWN_CLUSTER = "?";

    /** Writes it, with the beginning of a very long message. */
    public void write(DataOutputStream out) throws IOException {
        out.writeUTF(host);
        out.writeUTF(cluster);
        out.writeUTF(message.substring(0, Math.min(message.length(), LONGEST_MESSAGE)));
    }

    /** The inverse of {@link #write}. */
    public static AbsentNode read(DataInputStream in) throws IOException {
        return new AbsentNode(in.readUTF(), in.readUTF(), in.readUTF());
    }

    /** As it stands in the report. */
    Node inReport(int rank) {
        return new Node(
                rank,
                host,
                host,
                cluster.isEmpty() ? UNKNOWN_CLUSTER : cluster,
                /* clusterIndex= */ 0,
                NodeStatus.FAILED,
                NodeResult.lost(0, failure()),
                /* slowest= */ false,
                /* joined= */ false);
    }

    /** Why it is not there. */
    NodeFailure failure() {
        return new NodeFailure(Reason.TOO_FEW_NODES, "launch", message);
    }
}

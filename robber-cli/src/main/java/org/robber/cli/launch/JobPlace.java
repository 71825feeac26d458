package org.robber.cli.launch;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.robber.JobOptions;

/**
 * Which node of its job a process is, and where rank 0 listens.
 *
 * @param rank 0..size-1
 * @param size how many nodes there are
 * @param cluster of this node, or null: nodes of one subnet are one cluster
 * @param host where rank 0 listens, or, for other nodes, where they reach it
 * @param port that rank 0 listens at, or 0: it says which it has chosen
 */
public record JobPlace(int rank, int size, @Nullable String cluster, String host, int port) {

    static final String LOOPBACK = "127.0.0.1";

    /** The only node of a job. */
    public static JobPlace alone() {
        return new JobPlace(0, 1, null, LOOPBACK, 0);
    }

    /** The options of a node here. */
    JobOptions options(String jobId) {
        return JobOptions.of(jobId, host, port, rank, size).withCluster(cluster);
    }

    void write(DataOutputStream out) throws IOException {
        out.writeInt(rank);
        out.writeInt(size);
        out.writeUTF(cluster == null ? "" : cluster);
        out.writeUTF(host);
        out.writeInt(port);
    }

    static JobPlace read(DataInputStream in) throws IOException {
        int rank = in.readInt();
        int size = in.readInt();
        String cluster = in.readUTF();
        return new JobPlace(rank, size, cluster.isEmpty() ? null : cluster, in.readUTF(), in.readInt());
    }
}

package org.robber.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

/**
 * How a job went.
 *
 * @param bytes size of the data
 * @param entries files, folders and links in the tree
 * @param bytesUnchanged size of the files that all nodes had from an earlier copy, as sizes and times tell
 * @param seconds from the root's start of the transfer until the last node had its last verified piece
 * @param strategy name of the strategy
 * @param nodes one for each rank, in order
 * @param clusters one for each cluster, in order
 * @param links bytes that crossed, for each ordered pair of different clusters
 * @param skipped what was found in the source and not replicated
 * @param error why the job is not complete, or null
 */
public record JobReport(
        long bytes,
        long entries,
        long bytesUnchanged,
        double seconds,
        String strategy,
        List<Node> nodes,
        List<Cluster> clusters,
        List<Link> links,
        List<Skipped> skipped,
        @Nullable Failure error) {

    /** Format of the JSON report; grows when a reader of the old format would stumble. */
    static final int SCHEMA = 1;

    /** Of a job that failed before its nodes had found each other. */
    public static JobReport unbegun(RobberException failure, String strategy, List<AbsentNode> absent) {
        List<Node> nodes = new ArrayList<>();
        absent.forEach(node -> nodes.add(node.inReport(nodes.size())));
        return new JobReport(0, 0, 0, 0, strategy, nodes, List.of(), List.of(), List.of(), Failure.of(failure));
    }

    /** The same of a job that failed when all nodes were through. */
    public JobReport endedBy(RobberException failure) {
        return new JobReport(
                bytes,
                entries,
                bytesUnchanged,
                seconds,
                strategy,
                nodes,
                clusters,
                links,
                skipped,
                Failure.of(failure));
    }

    /** The exit code of every node's process. */
    public int exitCode() {
        return error == null ? 0 : error.reason().exitCode();
    }

    /** {@code complete}, {@code partial} or {@code failed}. */
    public String status() {
        if (error == null) {
            return "complete";
        }
        return !error.isForNothing() && nodes.stream().anyMatch(node -> node.status() == NodeStatus.COMPLETE)
                ? "partial"
                : "failed";
    }

    /** Size of the data that were sent over the time that all nodes together took for it; 0 if no time passed. */
    public double bytesPerSecond() {
        return seconds > 0 ? (bytes - bytesUnchanged) / seconds : 0;
    }

    /** How one node ended. */
    public enum NodeStatus {
        /** Has everything, verified and under its final name. */
        COMPLETE,
        /** Could not finish, for a reason of its own. */
        FAILED,
        /** Was stopped because the job failed elsewhere. */
        STOPPED;

        /** As it stands in reports. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One node.
     *
     * @param clusterIndex of its cluster, in what the result counts by cluster
     * @param result how it ended, as far as is known
     * @param slowest whether this node was the last to have everything
     * @param joined whether it came while the job ran; nothing depends on it
     */
    public record Node(
            int rank,
            String name,
            String host,
            String cluster,
            int clusterIndex,
            NodeStatus status,
            NodeResult result,
            boolean slowest,
            boolean joined) {

        long bytesReceivedLocal() {
            return Traffic.entry(result.stats().bytesReceivedFromCluster(), clusterIndex);
        }

        long bytesReceivedWan() {
            return Traffic.sum(result.stats().bytesReceivedFromCluster()) - bytesReceivedLocal();
        }

        long bytesSentLocal() {
            return Traffic.entry(result.stats().bytesSentToCluster(), clusterIndex);
        }

        long bytesSentWan() {
            return Traffic.sum(result.stats().bytesSentToCluster()) - bytesSentLocal();
        }

        /** Why it is not complete, or null. */
        @Nullable
        NodeFailure failure() {
            return result.failure();
        }
    }

    /**
     * One cluster.
     *
     * @param wanCopies bytes that entered it from other clusters / size of the data that were sent; 1.0 is ideal where no root is
     */
    public record Cluster(String name, int nodes, long bytesReceivedWan, double wanCopies) {}

    /** The bytes from one cluster to another. */
    public record Link(String from, String to, long bytes) {}

    /** Something in the source that no copy can be made of. */
    public record Skipped(String path, String reason) {}

    /**
     * Why the job failed; the fields of {@link RobberException}.
     *
     * @param isForNothing whether it went to its end, but only nodes are complete that had the data before
     */
    public record Failure(Reason reason, List<Integer> ranks, String phase, String message, boolean isForNothing) {
        static Failure of(RobberException failure) {
            return new Failure(
                    failure.reason(),
                    failure.ranks(),
                    failure.phase(),
                    String.valueOf(failure.getMessage()),
                    /* isForNothing= */ false);
        }
    }
}

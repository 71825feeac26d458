package org.robber.cli.report;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.Communicator;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.TransferStats;
import org.robber.cli.report.JobReport.Cluster;
import org.robber.cli.report.JobReport.Failure;
import org.robber.cli.report.JobReport.Link;
import org.robber.cli.report.JobReport.Node;
import org.robber.cli.report.JobReport.NodeStatus;
import org.robber.cli.report.JobReport.Skipped;

/** Puts together what rank 0 knows at the end of a job. */
public final class ReportBuilder {

    private final Communicator world;
    private final String strategy;
    private long bytes;
    private long entries;
    private double seconds;
    private List<Skipped> skipped = List.of();
    private @Nullable NodeResult committed;

    public ReportBuilder(Communicator world, String strategy) {
        this.world = world;
        this.strategy = strategy;
    }

    /** What was found in the source. */
    public void source(long bytes, long entries, List<Skipped> skipped) {
        this.bytes = bytes;
        this.entries = entries;
        this.skipped = List.copyOf(skipped);
    }

    /** From the root's start of the transfer until the last node had its last verified piece. */
    public void seconds(double seconds) {
        this.seconds = seconds;
    }

    /** Rank 0 has put its own copy in place, or failed to; the others have been told to do the same. */
    public void committed(NodeResult ofRankZero) {
        committed = ofRankZero;
    }

    /** The report of a job in which every node got through to the end, well or not. */
    public JobReport finished(List<NodeResult> results) {
        List<Integer> failed = new ArrayList<>();
        for (int rank = 0; rank < results.size(); rank++) {
            if (!results.get(rank).complete()) {
                failed.add(rank);
            }
        }
        Failure error = error(results, failed);
        int exitCode = error == null ? 0 : Reason.valueOf(error.reason()).exitCode();
        return new JobReport(
                exitCode,
                bytes,
                entries,
                seconds,
                strategy,
                nodes(results),
                clusters(results),
                links(results),
                skipped,
                error);
    }

    /** The report of a job that was ended by a failure before all nodes were through. */
    public JobReport failed(RobberException failure) {
        List<Node> nodes = new ArrayList<>();
        for (int rank = 0; rank < world.size(); rank++) {
            nodes.add(stopped(rank, failure));
        }
        Failure error = new Failure(
                failure.reason().name(), failure.ranks(), failure.phase(), String.valueOf(failure.getMessage()));
        return new JobReport(
                failure.reason().exitCode(),
                bytes,
                entries,
                seconds,
                strategy,
                nodes,
                List.of(),
                List.of(),
                skipped,
                error);
    }

    private Node stopped(int rank, RobberException failure) {
        NodeResult own = committed;
        if (rank == 0 && own != null) {
            return node(rank, own.complete() ? NodeStatus.COMPLETE : NodeStatus.FAILED, own, false, own.failure());
        }
        boolean guilty = failure.ranks().contains(rank);
        String error = guilty ? failure.getMessage() : null;
        if (own != null) {
            error = (guilty ? error : "the job ended") + "; whether its copy is in place is not known";
        }
        return node(
                rank,
                guilty ? NodeStatus.FAILED : NodeStatus.STOPPED,
                new NodeResult(0, NodeResult.NO_TRAFFIC, null),
                false,
                error);
    }

    private @Nullable Failure error(List<NodeResult> results, List<Integer> failed) {
        if (!failed.isEmpty()) {
            String first = world.nodeName(failed.get(0)) + ": "
                    + results.get(failed.get(0)).failure();
            Reason reason = failed.size() == results.size() ? Reason.DESTINATION : Reason.PARTIAL;
            return new Failure(
                    reason.name(),
                    failed,
                    "commit",
                    failed.size() + " of " + results.size() + " nodes are not known to be complete; " + first);
        }
        if (!skipped.isEmpty()) {
            return new Failure(
                    Reason.PARTIAL.name(),
                    List.of(),
                    "scan",
                    "all nodes are complete but for " + skipped.size() + " skipped: " + first(skipped.get(0)));
        }
        return null;
    }

    private String first(Skipped one) {
        return one.path() + " (" + one.reason() + ")" + (skipped.size() > 1 ? " and others" : "");
    }

    private List<Node> nodes(List<NodeResult> results) {
        double longest = results.stream().mapToDouble(NodeResult::seconds).max().orElse(0);
        List<Node> nodes = new ArrayList<>();
        boolean found = false;
        for (int rank = 0; rank < results.size(); rank++) {
            NodeResult result = results.get(rank);
            boolean slowest = !found && result.seconds() >= longest;
            found |= slowest;
            nodes.add(node(
                    rank,
                    result.complete() ? NodeStatus.COMPLETE : NodeStatus.FAILED,
                    result,
                    slowest,
                    result.failure()));
        }
        return nodes;
    }

    private Node node(int rank, NodeStatus status, NodeResult result, boolean slowest, @Nullable String error) {
        int cluster = world.clusterOf(rank);
        TransferStats stats = result.stats();
        long receivedLocal = entry(stats.bytesReceivedFromCluster(), cluster);
        long sentLocal = entry(stats.bytesSentToCluster(), cluster);
        return new Node(
                rank,
                world.nodeName(rank),
                world.hostName(rank),
                world.clusters().get(cluster),
                status,
                result.seconds(),
                receivedLocal,
                sum(stats.bytesReceivedFromCluster()) - receivedLocal,
                sentLocal,
                sum(stats.bytesSentToCluster()) - sentLocal,
                stats.controlBytesSent(),
                stats.piecesStolenWan(),
                stats.stealsWon(),
                stats.corruptPieces(),
                stats.bytesReused(),
                slowest,
                error);
    }

    private List<Cluster> clusters(List<NodeResult> results) {
        List<Cluster> clusters = new ArrayList<>();
        for (int cluster = 0; cluster < world.clusters().size(); cluster++) {
            int nodes = 0;
            long entered = 0;
            for (int rank = 0; rank < results.size(); rank++) {
                if (world.clusterOf(rank) == cluster) {
                    List<Long> received = results.get(rank).stats().bytesReceivedFromCluster();
                    nodes++;
                    entered += sum(received) - entry(received, cluster);
                }
            }
            double wanCopies = bytes == 0 ? 0 : (double) entered / bytes;
            clusters.add(new Cluster(world.clusters().get(cluster), nodes, entered, wanCopies));
        }
        return clusters;
    }

    private List<Link> links(List<NodeResult> results) {
        List<Link> links = new ArrayList<>();
        List<String> names = world.clusters();
        for (int from = 0; from < names.size(); from++) {
            for (int to = 0; to < names.size(); to++) {
                if (from == to) {
                    continue;
                }
                long crossed = 0;
                for (int rank = 0; rank < results.size(); rank++) {
                    if (world.clusterOf(rank) == to) {
                        crossed += entry(results.get(rank).stats().bytesReceivedFromCluster(), from);
                    }
                }
                links.add(new Link(names.get(from), names.get(to), crossed));
            }
        }
        return links;
    }

    private static long entry(List<Long> bytesByCluster, int cluster) {
        return cluster < bytesByCluster.size() ? bytesByCluster.get(cluster) : 0;
    }

    private static long sum(List<Long> values) {
        return values.stream().mapToLong(Long::longValue).sum();
    }
}

package org.robber.cli.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;
import org.robber.Communicator;
import org.robber.JoinedNode;
import org.robber.RobberException;
import org.robber.cli.report.JobReport.Cluster;
import org.robber.cli.report.JobReport.Failure;
import org.robber.cli.report.JobReport.Link;
import org.robber.cli.report.JobReport.Node;
import org.robber.cli.report.JobReport.NodeStatus;
import org.robber.cli.report.JobReport.Skipped;

/** Puts together what rank 0 knows at the end of a job. */
public final class ReportBuilder {

    private final Communicator world;
    private final Set<Integer> roots;
    private final String strategy;
    private long bytes;
    private long entries;
    private long bytesUnchanged;
    private double seconds;
    private List<Skipped> skipped = List.of();
    private int fewest;
    private @Nullable NodeResult committed;
    private List<JoinedNode> joined = List.of();
    private List<AbsentNode> absent = List.of();

    /** @param roots nodes that have all data before the job begins */
    public ReportBuilder(Communicator world, Collection<Integer> roots, String strategy) {
        this.world = world;
        this.roots = Set.copyOf(roots);
        this.strategy = strategy;
    }

    /** The size and the entries of the source. */
    public void source(long bytes, long entries, List<Skipped> skipped) {
        this.bytes = bytes;
        this.entries = entries;
        this.skipped = List.copyOf(skipped);
    }

    /** The size of the files that all nodes had already. */
    public void unchanged(long bytes) {
        bytesUnchanged = bytes;
    }

    /** From the root's start of the transfer until the last node had its last verified piece. */
    public void seconds(double seconds) {
        this.seconds = seconds;
    }

    /** Rank 0 has put its own copy in place, or failed to; the others have been told to do the same. */
    public void committed(NodeResult ofRankZero) {
        committed = ofRankZero;
    }

    /** These nodes came while the job ran. Whether they are complete is no matter of the job. */
    public void joined(List<JoinedNode> nodes) {
        joined = List.copyOf(nodes);
    }

    /** These nodes could not be started: the job went on without them from the beginning. */
    public void absent(List<AbsentNode> nodes) {
        absent = List.copyOf(nodes);
    }

    /** So many nodes must be complete for the job to be of use, as the user has said. */
    public void fewest(int nodes) {
        fewest = nodes;
    }

    /** The report of a job that went on to its end, with the result of every node. */
    public JobReport finished(List<NodeResult> results) {
        Failure error = new IncompleteJob(world, roots, fewest, absent).failure(results, skipped);
        List<String> clusters = clusterNames();
        List<Node> nodes = nodes(results);
        for (JoinedNode late : joined) {
            NodeResult result = NodeResult.ofJoined(late);
            nodes.add(new Node(
                    late.rank(),
                    late.name(),
                    late.host(),
                    late.cluster(),
                    clusters.indexOf(late.cluster()),
                    status(result),
                    result,
                    /* slowest= */ false,
                    /* joined= */ true));
        }
        Traffic traffic = new Traffic(clusters, List.copyOf(nodes));
        addAbsent(nodes);
        return report(nodes, traffic.clusters(bytes - bytesUnchanged), traffic.links(), error);
    }

    /**
     * The report of a job that was ended by a failure before all nodes were through.
     *
     * @param lost those that the job went on without until then
     * @param verifiedBytes how much of the data each node has, by rank
     */
    public JobReport failed(RobberException failure, Map<Integer, NodeResult> lost, IntToLongFunction verifiedBytes) {
        List<Node> nodes = new ArrayList<>();
        for (int rank = 0; rank < world.size(); rank++) {
            NodeResult result = lost.get(rank);
            nodes.add(
                    result == null
                            ? stopped(rank, failure, verifiedBytes.applyAsLong(rank))
                            : node(rank, NodeStatus.FAILED, result, false));
        }
        addAbsent(nodes);
        return report(nodes, List.of(), List.of(), Failure.of(failure));
    }

    private JobReport report(List<Node> nodes, List<Cluster> clusters, List<Link> links, @Nullable Failure error) {
        return new JobReport(bytes, entries, bytesUnchanged, seconds, strategy, nodes, clusters, links, skipped, error);
    }

    /** Behind all others, with ranks that no node has. */
    private void addAbsent(List<Node> nodes) {
        int next = nodes.stream().mapToInt(Node::rank).max().orElse(-1) + 1;
        for (AbsentNode node : absent) {
            nodes.add(node.inReport(next++));
        }
    }

    private Node stopped(int rank, RobberException failure, long verifiedBytes) {
        NodeResult own = committed;
        if (rank == 0 && own != null) {
            return node(rank, own.complete() ? NodeStatus.COMPLETE : NodeStatus.FAILED, own, false);
        }
        boolean guilty = failure.ranks().contains(rank);
        NodeFailure why = guilty ? NodeFailure.of(failure) : null;
        if (own != null) {
            why = (guilty
                            ? NodeFailure.of(failure)
                            : new NodeFailure(failure.reason(), failure.phase(), "the job ended"))
                    .inDoubt();
        }
        return node(rank, guilty ? NodeStatus.FAILED : NodeStatus.STOPPED, NodeResult.lost(verifiedBytes, why), false);
    }

    private List<Node> nodes(List<NodeResult> results) {
        double longest = results.stream().mapToDouble(NodeResult::seconds).max().orElse(0);
        List<Node> nodes = new ArrayList<>();
        boolean found = false;
        for (int rank = 0; rank < results.size(); rank++) {
            NodeResult result = results.get(rank);
            boolean slowest = !found && result.seconds() >= longest;
            found |= slowest;
            nodes.add(node(rank, status(result), result, slowest));
        }
        return nodes;
    }

    private Node node(int rank, NodeStatus status, NodeResult result, boolean slowest) {
        int cluster = world.clusterOf(rank);
        return new Node(
                rank,
                world.nodeName(rank),
                world.hostName(rank),
                world.clusters().get(cluster),
                cluster,
                status,
                result,
                slowest,
                /* joined= */ false);
    }

    private static NodeStatus status(NodeResult result) {
        return result.complete() ? NodeStatus.COMPLETE : NodeStatus.FAILED;
    }

    /** Those of the job, and behind them those that only joiners are in. */
    private List<String> clusterNames() {
        List<String> names = new ArrayList<>(world.clusters());
        for (JoinedNode late : joined) {
            if (!names.contains(late.cluster())) {
                names.add(late.cluster());
            }
        }
        return names;
    }
}

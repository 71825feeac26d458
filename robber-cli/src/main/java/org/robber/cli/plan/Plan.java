package org.robber.cli.plan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongToIntFunction;
import org.robber.RobberException.Reason;
import org.robber.cli.destination.DestinationChecks;
import org.robber.cli.destination.DestinationChecks.Problem;
import org.robber.cli.destination.DestinationInfo;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.report.JobReport.Skipped;
import org.robber.cli.report.OutputFormat;
import org.robber.cli.report.ReportFile;
import org.robber.cli.request.PlanTerms;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.request.ReportTerms;
import org.robber.cli.source.SourceSummary;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.manifest.Manifest;

/**
 * The plan of a job: what would be sent to whom, what it would take, and the problems that it would have.
 *
 * @param source as the user wrote it
 * @param bytes of the source
 * @param entries of the source, folders and links included
 * @param files of the source
 * @param layout the pieces
 * @param strategy its name
 * @param clusterOrigin how the clusters were found
 * @param clusters number of nodes of each, by name; that of rank 0 comes first
 * @param nodes by rank
 * @param forecast how long it would take
 * @param skipped entries of the source that cannot be copied
 * @param extras what nodes would remove, with the name of the node before each
 * @param problems that would end the job, or lose nodes
 * @param exitCode what the job would end with
 */
public record Plan(
        String source,
        long bytes,
        int entries,
        int files,
        PieceLayout layout,
        String strategy,
        String clusterOrigin,
        Map<String, Integer> clusters,
        List<PlannedNode> nodes,
        Forecast forecast,
        List<Skipped> skipped,
        List<String> extras,
        List<String> problems,
        int exitCode) {

    static final String LOCAL = "named by --local";

    /**
     * A node and its place.
     *
     * @param bytesInPlace how much of the source is there
     */
    record PlannedNode(String name, String cluster, DestinationInfo place, long bytesInPlace) {
        /** Whether it gets data. */
        boolean receives() {
            return !place.isSource() && !place.isNone();
        }
    }

    /** The nodes of a job, in the order of their ranks. */
    static final class Nodes {
        final List<PlannedNode> nodes = new ArrayList<>();

        void add(String name, String cluster, DestinationInfo place, long bytesInPlace) {
            nodes.add(new PlannedNode(name, cluster, place, bytesInPlace));
        }

        /** The source is where the copy of this node would be. */
        void keepsSource(int rank) {
            PlannedNode node = nodes.get(rank);
            DestinationInfo place = node.place();
            nodes.set(
                    rank,
                    new PlannedNode(
                            node.name(),
                            node.cluster(),
                            DestinationInfo.ofSource(place.host(), Path.of(place.path())),
                            0));
        }

        /** Looks for what is in the way of a copy at this node, and for what is there of one. */
        void look(int rank, String destination, List<Manifest> manifests, ReplicateRequest request) {
            PlannedNode node = nodes.get(rank);
            if (node.receives() && node.place().problem().isEmpty()) {
                String obstacle = Obstacle.find(destination, manifests, request.limits());
                long inPlace =
                        obstacle.isEmpty() ? Obstacle.bytesInPlace(destination, manifests, request.copying()) : 0;
                nodes.set(
                        rank,
                        new PlannedNode(
                                node.name(), node.cluster(), node.place().withProblem(obstacle), inPlace));
            }
        }

        List<String> names() {
            return nodes.stream().map(PlannedNode::name).toList();
        }

        List<DestinationInfo> places() {
            return nodes.stream().map(PlannedNode::place).toList();
        }

        private List<Long> missingBytes(long bytes) {
            return nodes.stream().map(node -> bytes - node.bytesInPlace()).toList();
        }
    }

    /**
     * Looks at a job whose nodes are there.
     *
     * @param extras what all nodes would remove
     */
    static Plan of(
            ReplicateRequest request,
            Nodes nodes,
            SourceSummary source,
            String clusterOrigin,
            LongToIntFunction automaticPieceBytes,
            List<String> extras) {
        PlanTerms terms = Objects.requireNonNull(request.plan(), "of a plan");
        long bytes = source.bytes();
        int pieceBytes = request.channel().pieceBytes();
        PieceLayout layout =
                new PieceLayout(bytes, pieceBytes == 0 ? automaticPieceBytes.applyAsInt(bytes) : pieceBytes);
        boolean local = clusterOrigin.equals(LOCAL);
        Map<String, Integer> clusters = new LinkedHashMap<>();
        nodes.nodes.forEach(node -> clusters.merge(node.cluster(), 1, Integer::sum));
        List<Problem> problems = DestinationChecks.problems(nodes.places(), nodes.names(), nodes.missingBytes(bytes));
        return new Plan(
                request.source().text(),
                bytes,
                source.entries(),
                source.files(),
                layout,
                request.channel().strategy(),
                clusterOrigin,
                clusters,
                List.copyOf(nodes.nodes),
                local
                        ? Forecast.ofThisMachine(clusters, layout, request.channel(), terms)
                        : Forecast.of(clusters, layout, request.channel(), terms),
                source.skipped(),
                extras,
                problems.stream().map(Problem::text).toList(),
                exitCode(request, nodes.nodes.size(), problems, source.skipped()));
    }

    private static int exitCode(ReplicateRequest request, int size, List<Problem> problems, List<Skipped> skipped) {
        Set<Integer> lost = new HashSet<>();
        problems.forEach(problem -> lost.addAll(problem.ranks()));
        if (lost.isEmpty() && skipped.isEmpty()) {
            return 0;
        }
        boolean isNeeded =
                lost.stream().anyMatch(rank -> rank == 0 || request.source().isRoot(rank));
        int left = size - lost.size();
        Reason reason;
        if (isNeeded || (!lost.isEmpty() && (left == 1 || !request.losses().goesOn()))) {
            reason = Reason.DESTINATION;
        } else if (left < request.losses().fewest(size)) {
            reason = Reason.NETWORK;
        } else {
            reason = Reason.PARTIAL;
        }
        return reason.exitCode();
    }

    /** How many nodes get data. */
    long receivers() {
        return nodes.stream().filter(PlannedNode::receives).count();
    }

    int print(ReportTerms report, NodeOutput output) {
        if (report.file() != null) {
            ReportFile.write(report.file(), PlanText.json(this) + "\n", 0, "the plan is made");
        }
        List<String> lines = report.format() == OutputFormat.JSON
                ? PlanText.json(this).lines().toList()
                : PlanText.lines(this);
        lines.forEach(output::result);
        return exitCode();
    }
}

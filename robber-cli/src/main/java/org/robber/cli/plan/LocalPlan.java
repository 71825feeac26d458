package org.robber.cli.plan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.robber.RobberException;
import org.robber.cli.destination.DestinationChecks;
import org.robber.cli.destination.DestinationInfo;
import org.robber.cli.node.FailureText;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.plan.Plan.PlannedNode;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.request.SourceTerms;
import org.robber.cli.source.Root;
import org.robber.cli.source.SharedEntries;
import org.robber.cli.source.SourceSummary;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.file.EntryFilter;

/** The plan of a job whose nodes would be processes on this machine. No process is needed for it. */
public final class LocalPlan {
    private final Plan.Nodes nodes = new Plan.Nodes();
    private final List<String> destinations = new ArrayList<>();

    /**
     * Adds the node of the next rank.
     *
     * @param destination where its copy would be, as the user gave it
     * @param place what is there
     */
    public void add(String name, String cluster, String destination, DestinationInfo place) {
        nodes.add(name, cluster, place, 0);
        destinations.add(destination);
    }

    /**
     * Prints the plan.
     *
     * @return the exit code: 0, or what the problems would lead to
     */
    public int print(ReplicateRequest request, NodeOutput output) {
        SourceTerms source = request.source();
        List<SourceSummary> parts = new ArrayList<>();
        List<Manifest> manifests = new ArrayList<>();
        List<String> extras = new ArrayList<>();
        for (int rank : source.roots()) {
            PlannedNode owner = nodes.nodes.get(rank);
            try {
                List<String> paths = source.pathsAt(rank, owner.cluster(), owner.name());
                Root root = Root.scan(paths, source.selection(), source.isStriped() ? owner.name() : "");
                root.keepSourceIfAt(owner.place().path(), request.destination().isEmpty());
                if (root.keepsSource()) {
                    nodes.keepsSource(rank);
                }
                parts.add(root.summary());
                manifests.add(root.manifest());
                EntryFilter deletable =
                        Deletion.filter(request, root.facts(source.selection().deletes()));
                List<Path> sourceTrees = DestinationChecks.sourceTrees(paths);
                DestinationChecks.check(nodes.places(), nodes.names(), sourceTrees, rank, root.keepsSource());
                if (deletable != null && !sourceTrees.isEmpty()) {
                    DestinationChecks.sourcePlaces(paths)
                            .forEach(place -> Deletion.check(nodes.places(), nodes.names(), place, rank, root));
                    List<PlannedNode> receivers =
                            nodes.nodes.stream().filter(PlannedNode::receives).toList();
                    for (PlannedNode node : receivers) {
                        Deletion.extras(Path.of(node.place().path()), root.manifest(), deletable)
                                .forEach(extra -> extras.add(node.name() + ": " + extra));
                    }
                }
            } catch (RobberException e) {
                String node = FailureText.node(owner.name(), rank, owner.place().host());
                throw FailureText.here(node, rank, "scan", e);
            }
        }
        SharedEntries.check(manifests, source.roots(), nodes.names()::get);
        for (int rank = 0; rank < destinations.size(); rank++) {
            nodes.look(rank, destinations.get(rank), manifests, request);
        }
        return Plan.of(
                        request,
                        nodes,
                        SourceSummary.of(parts),
                        Plan.LOCAL,
                        bytes -> PieceLayout.insideMachine(bytes).pieceBytes(),
                        extras)
                .print(request.report(), output);
    }
}

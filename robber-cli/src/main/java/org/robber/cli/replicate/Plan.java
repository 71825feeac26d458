package org.robber.cli.replicate;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.Communicator;
import org.robber.RobberException.Reason;
import org.robber.cli.progress.ByteText;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.EntryFilter;

/** The plan of a job, and the problems that it would have. */
public final class Plan {

    private final List<String> names = new ArrayList<>();
    private final Map<String, Integer> nodesByCluster = new TreeMap<>();
    private final List<DestinationInfo> places = new ArrayList<>();

    /** Adds the node of the next rank. */
    public void add(String name, String cluster, DestinationInfo place) {
        names.add(name);
        nodesByCluster.merge(cluster, 1, Integer::sum);
        places.add(place);
    }

    /**
     * Prints the plan of a job on this machine alone.
     *
     * @return the exit code: 0, or what the first problem would lead to
     */
    public int print(ReplicateRequest request, NodeOutput output) {
        Root root = Root.scan(request.sources(), request.selection());
        List<String> extras = new ArrayList<>();
        EntryFilter deletable =
                Deletion.filter(request, root.facts(request.selection().deletes()));
        List<Path> sourceTrees = DestinationChecks.sourceTrees(request.sources());
        if (deletable != null && !sourceTrees.isEmpty()) {
            sourceTrees.forEach(tree -> Deletion.check(places, names, tree, root));
            for (int rank = 0; rank < names.size(); rank++) {
                String name = names.get(rank);
                Deletion.extras(Path.of(places.get(rank).path()), root.manifest(), deletable)
                        .forEach(extra -> extras.add(name + ": " + extra));
            }
        }
        return print(
                root,
                extras,
                String.join(" ", request.sources()),
                request.channel(),
                bytes -> PieceLayout.insideMachine(bytes).pieceBytes(),
                output);
    }

    private int print(
            Root root,
            List<String> extras,
            String source,
            ChannelOptions channel,
            LongToIntFunction automaticPieceBytes,
            NodeOutput output) {
        Manifest manifest = root.manifest();
        long totalBytes = manifest.totalBytes();
        PieceLayout layout = new PieceLayout(
                totalBytes,
                channel.pieceBytes() == 0 ? automaticPieceBytes.applyAsInt(totalBytes) : channel.pieceBytes());
        List<String> problems = DestinationChecks.problems(places, names, totalBytes);
        StringBuilder clusters = new StringBuilder();
        nodesByCluster.forEach((cluster, nodes) -> clusters.append(clusters.isEmpty() ? "" : ", ")
                .append(cluster)
                .append(": ")
                .append(nodes));
        output.result("nodes:    " + names.size() + " (" + clusters + ")");
        output.result("source:   " + source + ": " + ByteText.bytes(totalBytes) + " in " + manifest.entryCount()
                + " entries");
        output.result("pieces:   " + layout.pieceCount() + " of " + ByteText.bytes(layout.pieceBytes()));
        output.result("strategy: " + channel.strategy());
        for (int rank = 0; rank < names.size(); rank++) {
            DestinationInfo place = places.get(rank);
            output.result("node " + names.get(rank) + " on " + place.host()
                    + (place.isSource() ? ": has the source" : ": to " + place.path()));
        }
        root.skipped().forEach(one -> output.result("skipped:  " + one.path() + " (" + one.reason() + ")"));
        extras.forEach(extra -> output.result("delete:   " + extra));
        problems.forEach(problem -> output.result("problem:  " + problem));
        output.result("dry run: nothing was written");
        if (!problems.isEmpty()) {
            return Reason.DESTINATION.exitCode();
        }
        return root.skipped().isEmpty() ? 0 : Reason.PARTIAL.exitCode();
    }

    /**
     * Prints the plan of a job whose nodes are there, at rank 0; returns its exit code on all.
     *
     * @param extras what all nodes would remove
     */
    static int tell(
            ReplicateRequest request,
            Communicator world,
            List<DestinationInfo> places,
            @Nullable Root root,
            NodeOutput output,
            List<String> extras) {
        byte[] code = new byte[1];
        if (root != null) {
            Plan plan = new Plan();
            for (int rank = 0; rank < places.size(); rank++) {
                plan.add(world.nodeName(rank), world.clusters().get(world.clusterOf(rank)), places.get(rank));
            }
            code[0] = (byte) plan.print(
                    root,
                    extras,
                    String.join(" ", request.sources()),
                    request.channel(),
                    world::automaticPieceBytes,
                    output);
        }
        return world.control().broadcast(code)[0];
    }
}

package org.robber.cli.plan;

import com.google.common.primitives.Longs;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.Communicator;
import org.robber.cli.destination.DestinationInfo;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.source.SourceSummary;

/** The plan of a job whose nodes are there. */
public final class JobPlan {

    private JobPlan() {}

    /**
     * Prints the plan at rank 0; returns its exit code on all.
     *
     * @param summary of the source, at rank 0
     * @param obstacle to the copy of this node, or empty
     * @param bytesInPlace how much of the source is at the place of this node
     * @param extras what this node would remove
     */
    public static int tell(
            ReplicateRequest request,
            Communicator world,
            List<DestinationInfo> places,
            @Nullable SourceSummary summary,
            NodeOutput output,
            String obstacle,
            long bytesInPlace,
            List<String> extras) {
        List<List<String>> obstacles = ToldLines.gather(world, obstacle.isEmpty() ? List.of() : List.of(obstacle));
        List<byte[]> inPlace = world.control().gather(Longs.toByteArray(bytesInPlace));
        List<List<String>> allExtras = ToldLines.gather(world, extras);
        byte[] code = new byte[1];
        if (summary != null) {
            Plan.Nodes nodes = new Plan.Nodes();
            List<String> removed = new ArrayList<>();
            for (int rank = 0; rank < places.size(); rank++) {
                String name = world.nodeName(rank);
                DestinationInfo place = places.get(rank);
                boolean isBlocked =
                        place.problem().isEmpty() && !obstacles.get(rank).isEmpty();
                nodes.add(
                        name,
                        world.clusters().get(world.clusterOf(rank)),
                        isBlocked ? place.withProblem(obstacles.get(rank).get(0)) : place,
                        inPlace.get(rank).length == 0 ? 0 : Longs.fromByteArray(inPlace.get(rank)));
                allExtras.get(rank).forEach(extra -> removed.add(name + ": " + extra));
            }
            code[0] = (byte) Plan.of(
                            request,
                            nodes,
                            summary,
                            world.control().clusterOrigin(),
                            world::automaticPieceBytes,
                            removed)
                    .print(request.report(), output);
        }
        return world.control().broadcast(code)[0];
    }
}

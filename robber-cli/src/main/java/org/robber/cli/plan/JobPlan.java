package org.robber.cli.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.Communicator;
import org.robber.cli.destination.DestinationInfo;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.request.PlanTerms;
import org.robber.cli.request.ReplicateRequest;
import org.robber.cli.source.SourceSummary;

/** The plan of a job whose nodes are there. */
public final class JobPlan {

    private JobPlan() {}

    /**
     * Prints the plan at rank 0; returns its exit code on all.
     *
     * @param summary of the source, at rank 0
     * @param extras what all nodes would remove
     */
    public static int tell(
            ReplicateRequest request,
            PlanTerms terms,
            Communicator world,
            List<DestinationInfo> places,
            @Nullable SourceSummary summary,
            NodeOutput output,
            List<String> extras) {
        byte[] code = new byte[1];
        if (summary != null) {
            Plan.Nodes nodes = new Plan.Nodes();
            for (int rank = 0; rank < places.size(); rank++) {
                nodes.add(world.nodeName(rank), world.clusters().get(world.clusterOf(rank)), places.get(rank));
            }
            code[0] = (byte) Plan.of(
                            request,
                            terms,
                            nodes,
                            summary,
                            world.control().clusterOrigin(),
                            world::automaticPieceBytes,
                            extras)
                    .print(request.report(), output);
        }
        return world.control().broadcast(code)[0];
    }
}

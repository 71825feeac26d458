package org.robber.transport.job.progress;

import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.job.peer.JobContext;

/**
 * The judgement of rank 0 on a multicast in which nothing moves, or nothing can.
 *
 * @param failure names the nodes at fault
 * @param othersGoOn whether the job goes on without them
 */
record Standstill(RobberException failure, boolean othersGoOn) {

    /** The last copies of these pieces are lost with the nodes that had them. */
    static Standstill ofLostPieces(String pieces, List<Integer> lost, NodeProgress nodes, JobContext context) {
        String names = lost.stream().map(context::describe).collect(Collectors.joining(", "));
        return new Standstill(
                new RobberException(
                        Reason.NETWORK,
                        lost,
                        nodes.phase(),
                        pieces + " were lost during '" + nodes.phase() + "' with the nodes that had them: " + names),
                /* othersGoOn= */ false);
    }

    /** The storage of these nodes hangs. Others may only wait for pieces that they were to bring. */
    static Standstill ofHangingStorages(List<Integer> hanging, NodeProgress nodes, JobContext context) {
        Reason reason = hanging.contains(nodes.rootRank()) ? Reason.SOURCE : Reason.DESTINATION;
        String why = "reading or writing hangs at " + hanging.size() + " of " + nodes.nodes() + " nodes, the first is "
                + context.describe(hanging.get(0)) + ": look at its disk or file server";
        return new Standstill(
                failure(reason, hanging, why, nodes, context),
                nodes.areOnlyReceivers(hanging) && !nodes.areAllReceivers(hanging));
    }

    /** No storage is known to hang: the nodes that lack something are at fault. */
    static Standstill ofLateNodes(NodeProgress nodes, JobContext context) {
        List<Integer> late = nodes.late();
        boolean someAreDone = nodes.summary().nodesDone() > 0;
        String why = late.isEmpty()
                ? "all nodes have everything"
                : late.size() + " of " + nodes.nodes() + " nodes are not done, the first is "
                        + context.describe(late.get(0)) + (someAreDone ? "" : hintAtRoot(nodes, context));
        return new Standstill(
                failure(Reason.NETWORK, late, why, nodes, context),
                !late.isEmpty() && nodes.areOnlyReceivers(late) && someAreDone);
    }

    /** If no node makes progress, the trouble is rather at the sender than at all receivers. */
    private static String hintAtRoot(NodeProgress nodes, JobContext context) {
        return nodes.rootRank() == NodeProgress.SEVERAL_ROOTS
                ? ""
                : "; no node makes progress, so look first whether reading or writing hangs at "
                        + context.describe(nodes.rootRank());
    }

    private static RobberException failure(
            Reason reason, List<Integer> ranks, String why, NodeProgress nodes, JobContext context) {
        String limit = BigDecimal.valueOf(context.stallTimeout().toMillis(), 3)
                .stripTrailingZeros()
                .toPlainString();
        return new RobberException(
                reason,
                ranks,
                nodes.phase(),
                "nothing has moved for " + limit + " s during '" + nodes.phase() + "'; " + why);
    }
}

package org.robber.cli.replicate;

import com.google.common.collect.Lists;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.robber.Communicator;
import org.robber.RobberException.Reason;
import org.robber.TransferStats;
import org.robber.cli.node.CopyCommit;
import org.robber.cli.node.FailureReporter;
import org.robber.cli.replicate.Reception.Received;
import org.robber.cli.report.NodeFailure;
import org.robber.cli.report.NodeResult;
import org.robber.cli.request.ReplicateRequest;
import org.robber.transport.storage.copy.LeftOut;
import org.robber.transport.storage.copy.TreeTarget;
import org.robber.transport.storage.file.EntryFilter;

/** The end of a job: every node that has everything shows its copy, and rank 0 hears how that went. */
record Commit(
        ReplicateRequest request,
        Communicator world,
        LossTracker lossTracker,
        RootReport report,
        FailureReporter reporter) {

    /**
     * Shows the copies of all parts, where there are any, under their final names. A failure is this node's alone: others have theirs.
     * Directories of several parts get mode and time from the first of them, so it is shown last.
     *
     * @param destination of this node
     * @param deletable what may be removed from the destination, or null if nothing may
     */
    NodeResult show(Received received, String destination, @Nullable EntryFilter deletable) {
        AtomicLong deleted = new AtomicLong();
        NodeFailure failure = null;
        for (TreeTarget target : Lists.reverse(received.targets())) {
            NodeFailure here = CopyCommit.show(
                    target,
                    request.copying().stateFolder(),
                    world.hostName(world.rank()),
                    record -> deleted.set(
                            target.commit(record, deletable, request.copying().fsync())));
            failure = failure == null ? here : failure;
        }
        for (LeftOut part : received.inPlace()) {
            NodeFailure here = CopyCommit.attempt(() -> part.check(destination));
            failure = failure == null ? here : failure;
        }
        TransferStats stats = received.stats();
        return new NodeResult(stats.nanos() / 1e9, stats, received.bytes(), deleted.get(), 0, failure);
    }

    /** Brings the results of all to rank 0, which makes the report; returns the exit code of the job. */
    int conclude(NodeResult mine) {
        NodeResult result = mine.withBytesRelayed(world.control().bytesRelayed());
        List<byte[]> told = world.control().gather(result.toBytes());
        byte[] code = new byte[1];
        if (world.rank() == 0) {
            Map<Integer, NodeResult> lost = lossTracker.lost();
            List<NodeResult> results = new ArrayList<>();
            for (int rank = 0; rank < told.size(); rank++) {
                NodeResult loss = lost.get(rank);
                // a node that was lost after it had told its result has told it
                results.add(loss != null && told.get(rank).length == 0 ? loss : NodeResult.fromBytes(told.get(rank)));
            }
            report.joined(world.control().releaseJoiners());
            code[0] = reporter.here(Reason.DESTINATION, () -> (byte) report.finished(results));
            world.control().conclude(code[0]);
        }
        return world.control().broadcast(code)[0];
    }
}

package org.robber.transport.job;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.robber.ChannelOptions;
import org.robber.Storage;
import org.robber.core.join.JoiningNode;
import org.robber.core.join.WelcomingNode;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.NodeSetup;
import org.robber.core.piece.PieceLayout;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.Overlay;
import org.robber.transport.collective.exchange.Exchange;
import org.robber.transport.control.ControlMessage.Progress;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.job.peer.JobContext;
import org.robber.transport.job.peer.MulticastGroup;
import org.robber.transport.job.progress.ProgressReports;
import org.robber.transport.link.FailureListener;
import org.robber.transport.link.Transfer;
import org.robber.transport.link.TransferResources;
import org.robber.transport.link.TransferTally;

/**
 * Makes the transfers of one channel at one member of the job.
 *
 * @param executor on which the machines run
 */
record TransferFactory(
        JobContext context,
        ChannelOptions options,
        MulticastStrategy strategy,
        PieceHasher hasher,
        EventLoop executor) {

    /** How the data of a multicast are cut into pieces. */
    PieceLayout layout(Storage data) {
        return options.pieceBytes() == 0
                ? context.nearness().automaticLayout(data.sizeBytes())
                : new PieceLayout(data.sizeBytes(), options.pieceBytes());
    }

    /** The terms of a multicast, on which all nodes have to agree. */
    Begin begin(long sequence, PieceLayout layout, int rootRank) {
        return new Begin(
                sequence, rootRank, layout.totalBytes(), layout.pieceBytes(), strategy.fingerprint(), hasher.name());
    }

    /** The terms of an exchange. */
    Begin begin(Exchange exchange) {
        return new Begin(
                exchange.number(),
                exchange.placement().owners().get(0),
                exchange.layout().totalBytes(),
                exchange.layout().pieceBytes(),
                strategy.fingerprint(),
                hasher.name());
    }

    /** The counts of a multicast that begins now. */
    TransferTally tally(CallTerms terms) {
        return new TransferTally(
                context.knownNodes()::topology,
                terms.begin().totalBytes(),
                terms.possession().sourceBytes(),
                terms.possession().reusedBytes());
    }

    /**
     * Begins to tell rank 0 how far this node is, and whether its storage hangs.
     *
     * @return to be cancelled when there is nothing more to tell
     */
    ScheduledFuture<?> reports(LongSupplier doneBytes, LongFunction<Progress> progress) {
        return ProgressReports.start(
                executor,
                context.rank(),
                context.topology().size(),
                context.stallTimeout(),
                doneBytes,
                done -> context.controlPlane().report(progress.apply(done)),
                new HangReports(context)::look);
    }

    /** This node's part in a call, not started. */
    Transfer create(
            Begin begin,
            DataPlacement placement,
            InitialPieces possession,
            Storage data,
            MulticastGroup members,
            Overlay overlay,
            TransferTally tally,
            FailureListener failure) {
        NodeSetup setup = new NodeSetup(
                members.number(context.rank()),
                members.topology(),
                overlay,
                placement,
                possession.pieces(),
                context.controlPlane().roster().seed() + begin.sequence(),
                options.requestWindow(),
                begin.pieceBytes(),
                begin.totalBytes(),
                false);
        MulticastNode machine =
                new WelcomingNode(strategy.createNode(setup), members.ranks().size());
        return new Transfer(
                new PieceLayout(begin.totalBytes(), begin.pieceBytes()),
                data,
                possession.source(),
                possession.digests(),
                machine,
                members::rank,
                number -> requestLimit(setup, number, members.ranks().size()),
                tally,
                new TransferResources(
                        hasher,
                        options.memoryBytes(),
                        context.dialer().encrypts(),
                        context.storageThreads(),
                        executor,
                        System::nanoTime),
                failure);
    }

    private int requestLimit(NodeSetup setup, int number, int memberCount) {
        return number < memberCount
                ? strategy.limits(setup.ofPeer(number)).requestsPerPeer()
                : JoiningNode.LARGEST_REQUEST_WINDOW;
    }
}

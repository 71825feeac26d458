package org.robber.transport.job;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.JobOptions;
import org.robber.Joiner;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.TransferStats;
import org.robber.core.join.JoiningNode;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message.Begin;
import org.robber.transport.control.ControlMessage.Admit;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.job.peer.KnownNodes;
import org.robber.transport.job.peer.LinkTable;
import org.robber.transport.job.peer.LinksOfJoiner;
import org.robber.transport.job.peer.LinksOfJoiner.JoinerContext;
import org.robber.transport.job.progress.ProgressReports;
import org.robber.transport.join.JoinerConnection;
import org.robber.transport.link.Transfer;
import org.robber.transport.link.TransferResources;
import org.robber.transport.link.TransferTally;
import org.robber.transport.link.piece.PieceBuffers;
import org.robber.transport.reach.Detours;
import org.robber.transport.reach.PeerDialer;
import org.robber.transport.reach.PeerListener;
import org.robber.transport.reach.RelayChoice;
import org.robber.transport.rendezvous.BlockingCalls;
import org.robber.transport.sockets.Sockets;
import org.robber.transport.storage.StorageThreads;

/** A joiner over a control connection to rank 0 and connections to its mates. */
final class NettyJoiner implements Joiner {
    private static final String TRANSFER = "transfer";

    private final JobOptions options;
    private final JoinerConnection connection;
    private final Sockets sockets;
    private final PeerDialer dialer;
    private final StorageThreads storageThreads;
    private final Runnable release;
    private final BlockingCalls waiting;
    private final KnownNodes everyone;
    private final Detours detours;
    private final Admit what;
    private final byte[] description;
    private final Begin begin;
    private final PieceLayout layout;
    private final PieceHasher hasher;
    private final EventLoop strategyLoop;
    private volatile @Nullable Transfer transfer;
    private volatile @Nullable LinksOfJoiner links;
    private TransferTally tally;

    /**
     * Waits for what there is to join.
     *
     * @param listener accepts connections of members that this node cannot reach
     * @param dialer connects to members of the job
     * @param release gives back what this is made of
     */
    NettyJoiner(
            JobOptions options,
            JoinerConnection connection,
            Sockets sockets,
            PeerListener listener,
            PeerDialer dialer,
            StorageThreads storageThreads,
            Runnable release) {
        this.options = options;
        this.connection = connection;
        this.sockets = sockets;
        this.dialer = dialer;
        this.storageThreads = storageThreads;
        this.release = release;
        this.everyone = new KnownNodes(connection.roster().members());
        this.detours = Detours.open(
                dialer,
                listener,
                everyone::members,
                RelayChoice.of(options.relays(), everyone.members()),
                connection::callBack);
        // The user of a joiner decides when to give up.
        this.waiting = new BlockingCalls(connection.rank(), why -> {});
        JoinerConnection.Admission admission = waiting.until(connection.admission(), "join");
        this.what = admission.what();
        this.description = admission.description();
        this.begin = new Begin(
                what.sequence(), what.rootRank(), what.totalBytes(), what.pieceBytes(), what.strategy(), what.digest());
        this.layout = new PieceLayout(what.totalBytes(), what.pieceBytes());
        this.hasher = PieceHashers.named(what.digest());
        this.strategyLoop = sockets.group().next();
        this.tally = new TransferTally(everyone::topology, what.totalBytes(), 0);
    }

    @Override
    public int rank() {
        return connection.rank();
    }

    @Override
    public String nodeName() {
        return everyone.topology().nodeName(rank());
    }

    @Override
    public String clusterName() {
        return everyone.member(rank()).cluster();
    }

    @Override
    public int clusterIndex() {
        return everyone.topology().clusterOf(rank());
    }

    @Override
    public String hostName() {
        return everyone.member(rank()).host();
    }

    @Override
    public byte[] description() {
        return description;
    }

    @Override
    public long totalBytes() {
        return layout.totalBytes();
    }

    @Override
    public int pieceBytes() {
        return layout.pieceBytes();
    }

    @Override
    public String digest() {
        return hasher.name();
    }

    @Override
    public void receive(Storage data, long memoryBytes, int requestWindow) {
        PieceBuffers.checkRoom(layout.pieceBytes(), memoryBytes);
        InitialPieces possession = InitialPieces.of(PieceSet.empty(layout.pieceCount()), data, layout, hasher);
        tally = new TransferTally(everyone::topology, layout.totalBytes(), possession.reusedBytes());
        Transfer receiving = new Transfer(
                layout,
                data,
                possession.source(),
                possession.digests(),
                JoiningNode.create(
                        rank(),
                        possession.pieces(),
                        connection.roster().seed() + begin.sequence(),
                        requestWindow,
                        layout.pieceBytes()),
                number -> number,
                number -> JoiningNode.LARGEST_REQUEST_WINDOW,
                tally,
                new TransferResources(
                        hasher, memoryBytes, dialer.encrypts(), storageThreads, strategyLoop, System::nanoTime),
                new JoinerFailures(connection, everyone, this::lose));
        JoinerContext context = new JoinerContext(
                everyone,
                rank(),
                what.members(),
                sockets,
                dialer,
                new LinkTable.Limits(options.silenceTimeout(), options.peerStallTimeout()));
        LinksOfJoiner mates = new LinksOfJoiner(context, what.channel(), begin, receiving, connection::giveUp);
        links = mates;
        transfer = receiving;
        ScheduledFuture<?> reports = ProgressReports.start(
                strategyLoop,
                rank(),
                everyone.topology().size(),
                options.stallTimeout(),
                receiving::progressBytes,
                doneBytes -> connection.report(doneBytes, layout.totalBytes()),
                () -> {});
        try {
            connection.onFailure(receiving::close);
            receiving.start();
            connection.onLost(this::lose);
            mates.fill();
            waiting.until(receiving.completed(), TRANSFER);
        } finally {
            reports.cancel(false);
            mates.close();
        }
        connection.report(layout.totalBytes(), layout.totalBytes());
        connection.complete();
    }

    private void lose(int rank) {
        detours.lose(rank);
        LinksOfJoiner mates = links;
        if (mates != null) {
            mates.lose(rank);
        }
    }

    @Override
    public void awaitRelease() {
        byte[] ofRoot = waiting.until(connection.released(), "verify");
        Transfer received = transfer;
        if (received == null || !Arrays.equals(ofRoot, waiting.until(received.digestOfAll(), "verify"))) {
            throw new RobberException(
                    Reason.INTEGRITY,
                    List.of(rank()),
                    "verify",
                    everyone.describe(rank())
                            + ": its digest over all pieces differs from that of the root"
                            + RootDigest.WHY);
        }
    }

    @Override
    public void tell(byte[] result) {
        connection.tell(result);
    }

    @Override
    public TransferStats stats() {
        return tally.stats();
    }

    @Override
    public long bytesDone() {
        Transfer now = transfer;
        return now == null ? 0 : now.progressBytes();
    }

    @Override
    public void giveUp(RobberException why) {
        connection.giveUp(why);
    }

    @Override
    public void close() {
        connection.close();
        Transfer last = transfer;
        if (last != null) {
            last.close(new RobberException(
                    Reason.USAGE, List.of(rank()), "leave", everyone.describe(rank()) + " has left the job itself"));
        }
        release.run();
    }
}

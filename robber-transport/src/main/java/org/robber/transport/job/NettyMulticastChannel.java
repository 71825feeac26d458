package org.robber.transport.job;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.ChannelOptions.OnLoss;
import org.robber.MulticastChannel;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.TransferStats;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.piece.PieceLayout;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.strategy.Strategies;
import org.robber.transport.control.ControlMessage.Progress;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.join.JoinableMulticast;
import org.robber.transport.link.PeerLink;
import org.robber.transport.link.Transfer;
import org.robber.transport.link.TransferTally;
import org.robber.transport.rendezvous.ControlPlane.CollectiveCall;
import org.robber.transport.rendezvous.RankZeroControl;
import org.robber.transport.storage.BufferStorage;

/** A channel over TCP connections to the peers of the strategy's overlay. */
final class NettyMulticastChannel implements MulticastChannel {
    private final JobContext context;
    private final NettyCommunicator world;
    private final ChannelOptions options;
    private final int number;
    private final MulticastStrategy strategy;
    private final PieceHasher hasher;
    private final EventLoop strategyLoop;
    private final TransferFactory transfers;
    private final PeerLinks links;
    private final LinksFromJoiners joiners;
    private final Consumer<RobberException> failureListener = this::failed;
    private final BiConsumer<Integer, RobberException> lossListener = this::lost;

    private final ChannelMembers members;
    private Map<Integer, RobberException> missing = Map.of();

    /** What nodes that join the next multicast are told of it, if they may. */
    private byte @Nullable [] description;

    private long nextSequence;
    private @Nullable ActiveMulticast running;
    private @Nullable RobberException failure;
    private TransferStats lastStats;
    private volatile boolean closing;

    static NettyMulticastChannel open(JobContext context, NettyCommunicator world, ChannelOptions options, int number) {
        return new NettyMulticastChannel(context, world, options, number);
    }

    private NettyMulticastChannel(JobContext context, NettyCommunicator world, ChannelOptions options, int number) {
        this.context = context;
        this.world = world;
        this.options = options;
        this.number = number;
        this.strategy = Strategies.byName(options.strategy(), options.bandwidths());
        this.hasher = PieceHashers.named(options.digest());
        this.strategyLoop = context.sockets().group().next();
        this.transfers = new TransferFactory(context, options, strategy, hasher, strategyLoop);
        this.links = new PeerLinks(context, number);
        this.joiners = new LinksFromJoiners(context);
        this.members = new ChannelMembers(context, strategy, number);
        this.lastStats = new TransferTally(context::topology, 0, false, System.nanoTime()).stats();
        if (options.onLoss() != OnLoss.ABORT) {
            context.controlPlane().rankZero().ifPresent(RankZeroControl::goOnWithoutLost);
        }
        String call = "open channel " + number + " with strategy " + strategy.fingerprint() + ", digest "
                + options.digest() + ", on loss " + options.onLoss();
        CollectiveCall connected = context.controlPlane().begin(call);
        world.onLost(lossListener);
        world.waiting().until(links.open(members.group(), members.overlay(), joiners), "connect");
        context.controlPlane().onFailure(failureListener);
        world.waiting().until(connected.arrive(new byte[0], payloads -> new byte[0]), "connect");
        members.leaveOut(connected.lost());
    }

    private void lost(int rank, RobberException why) {
        boolean busy;
        synchronized (this) {
            busy = running != null;
        }
        if (context.rank() == 0 && options.onLoss() == OnLoss.ABORT && busy) {
            context.controlPlane().fail(why);
        }
        links.nodeLost(rank);
    }

    private void failed(RobberException first) {
        ActiveMulticast now;
        synchronized (this) {
            failure = first;
            now = running;
        }
        closing = true;
        if (now != null) {
            now.transfer().close(first);
        }
        links.abort(first);
        joiners.close();
    }

    @Override
    public void multicast(ByteBuffer data) {
        checkArgument(context.rank() == 0 || !data.isReadOnly(), "nothing can be received into a read-only buffer");
        multicast(BufferStorage.of(data.slice()), 0);
    }

    @Override
    public void multicast(Storage data, int rootRank) {
        multicast(data, rootRank, false);
    }

    @Override
    public void resume(Storage data, int rootRank) {
        multicast(data, rootRank, true);
    }

    @Override
    public void letJoin(byte[] newDescription) {
        checkState(context.rank() == 0, "only rank 0 lets others join");
        description = newDescription;
    }

    private void multicast(Storage data, int rootRank, boolean resumed) {
        checkArgument(rootRank >= 0 && rootRank < world.size(), "root rank %s of %s nodes", rootRank, world.size());
        flush();
        checkState(!closing, "the channel is closed");
        if (!members.contains(rootRank)) {
            throw new RobberException(
                    Reason.NETWORK,
                    List.of(rootRank),
                    "multicast",
                    context.describe(rootRank) + ", the root, was lost");
        }
        Begin begin = describe(data, rootRank);
        String phase = "multicast " + begin.sequence() + (number == 0 ? "" : " on channel " + number);
        CollectiveCall collectiveCall = context.controlPlane()
                .begin(phase + (resumed ? ", resumed," : "") + " of " + begin.totalBytes() + " bytes in pieces of "
                        + begin.pieceBytes() + " from rank " + rootRank);
        PieceLayout layout = new PieceLayout(begin.totalBytes(), begin.pieceBytes());
        boolean root = rootRank == context.rank();
        InitialPieces possession = root
                ? InitialPieces.ofRoot(layout, hasher)
                : resumed ? InitialPieces.of(data, layout, hasher) : InitialPieces.ofNothing(layout, hasher);
        ActiveMulticast running = begin(begin, data, possession, phase, collectiveCall);
        if (root && resumed) {
            running.transfer().readAll();
        }
        if (!root) {
            world.waiting().until(running.verified(), phase);
        }
    }

    private Begin describe(Storage data, int rootRank) {
        PieceLayout layout = options.pieceBytes() == 0
                ? context.nearness().automaticLayout(data.sizeBytes())
                : new PieceLayout(data.sizeBytes(), options.pieceBytes());
        return new Begin(
                nextSequence++,
                rootRank,
                layout.totalBytes(),
                layout.pieceBytes(),
                strategy.fingerprint(),
                hasher.name());
    }

    private ActiveMulticast begin(
            Begin begin, Storage data, InitialPieces possession, String phase, CollectiveCall collectiveCall) {
        int pieceCount = new PieceLayout(begin.totalBytes(), begin.pieceBytes()).pieceCount();
        boolean root = begin.rootRank() == context.rank();
        MulticastGroup group = members.group();
        TransferTally tally = transfers.tally(begin, possession);
        Transfer transfer = transfers.create(
                begin,
                data,
                possession,
                group,
                members.overlay(),
                tally,
                new TransferFailures(context, links, phase, root));
        if (context.rank() == 0) {
            world.progress().begin(phase, begin.totalBytes(), begin.rootRank());
            world.progress().watchCopies(pieceCount, group.ranks());
        }
        RootDigest rootDigest = new RootDigest(context, world, number, begin, phase);
        CompletableFuture<?> verified = root ? rootDigest.tell(transfer) : rootDigest.agreement(transfer);
        byte[] told = description;
        description = null;
        ActiveMulticast now = new ActiveMulticast(
                phase,
                told != null,
                rootDigest,
                transfer,
                tally,
                verified,
                collectiveCall,
                verified.thenCompose(here -> collectiveCall.arrive(new byte[0], payloads -> new byte[0])),
                report(phase, transfer, begin.totalBytes()));
        RobberException failed;
        synchronized (this) {
            running = now;
            failed = failure;
        }
        if (failed != null) {
            transfer.close(failed);
        }
        RunningTransfer running = new RunningTransfer(begin, transfer, group);
        links.multicast().begin(running, members.overlay());
        joiners.begin(running);
        if (told != null) {
            collectiveCall.letJoin(new JoinableMulticast(number, begin, told));
        }
        transfer.start();
        return now;
    }

    private ScheduledFuture<?> report(String phase, Transfer transfer, long totalBytes) {
        return ProgressReports.start(
                strategyLoop,
                context.rank(),
                world.size(),
                context.stallTimeout(),
                transfer::progressBytes,
                doneBytes -> context.controlPlane().report(new Progress(phase, doneBytes, totalBytes)));
    }

    @Override
    public void flush() {
        ActiveMulticast last;
        synchronized (this) {
            last = running;
        }
        if (last == null) {
            return;
        }
        try {
            world.waiting().until(last.everyoneHasIt(), last.phase());
            world.waiting().until(last.transfer().finished(), last.phase());
            if (context.rank() == 0) {
                world.progress().end();
            }
        } finally {
            last.reports().cancel(false);
        }
        links.multicast().end();
        for (PeerLink link : links.all()) {
            last.tally().control(controlBytesSent(link));
        }
        for (PeerLink link : joiners.end()) {
            last.tally().control(controlBytesSent(link));
        }
        if (last.joinable()) {
            CompletableFuture<byte[]> digestOfAll = last.transfer().digestOfAll();
            if (!digestOfAll.isDone()) {
                // Where the root is alone, joiners may have pieces from an earlier run that no node has requested.
                last.transfer().readAll();
            }
            world.control().joinable(world.waiting().until(digestOfAll, last.phase()));
        }
        lastStats = last.tally().stats();
        last.transfer().release();
        last.rootDigest().forget();
        synchronized (this) {
            running = null;
        }
        missing = new TreeMap<>(world.lost());
        missing.keySet().retainAll(last.collectiveCall().lost());
        missing.keySet().retainAll(members.group().ranks());
        members.leaveOut(last.collectiveCall().lost());
        if (options.onLoss() == OnLoss.THROW && !missing.isEmpty()) {
            throw partial(last.phase());
        }
    }

    private RobberException partial(String phase) {
        RobberException first = missing.values().iterator().next();
        return new RobberException(
                Reason.PARTIAL,
                List.copyOf(missing.keySet()),
                phase,
                missing.size() + " nodes were lost, and all others have everything; the first: " + first.getMessage(),
                first);
    }

    @Override
    public Map<Integer, RobberException> missing() {
        return Collections.unmodifiableMap(missing);
    }

    private long controlBytesSent(PeerLink link) {
        CompletableFuture<Long> bytes = new CompletableFuture<>();
        link.channel().eventLoop().execute(() -> bytes.complete(link.takeControlBytesSent()));
        return world.waiting().until(bytes, "flush");
    }

    @Override
    public TransferStats lastStats() {
        ActiveMulticast now;
        synchronized (this) {
            now = running;
        }
        return now == null ? lastStats : now.tally().stats();
    }

    /** Gives back the memory of what goes on, when nothing goes on any more. */
    void release() {
        ActiveMulticast now;
        synchronized (this) {
            now = running;
        }
        if (now != null) {
            now.transfer().release();
        }
    }

    @Override
    public void close() {
        if (closing) {
            return;
        }
        try {
            flush();
            // From here on the end of a connection is what everyone expects.
            CollectiveCall collectiveCall = context.controlPlane().begin("close channel " + number);
            closing = true;
            world.waiting().until(collectiveCall.arrive(new byte[0], payloads -> new byte[0]), "close");
        } finally {
            closing = true;
            links.close();
            joiners.close();
            world.forget(lossListener);
            context.controlPlane().forget(failureListener);
        }
    }
}

package org.robber.transport.job;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.MulticastChannel;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.TransferStats;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.NodeSetup;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.ControlMessage.Progress;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.strategy.Strategies;
import org.robber.core.topology.Overlay;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.link.PeerLink;
import org.robber.transport.link.Transfer;
import org.robber.transport.link.TransferTally;
import org.robber.transport.rendezvous.Assembly.Meeting;
import org.robber.transport.storage.BufferStorage;

/** A channel over TCP connections to the peers of the strategy's overlay. */
final class NettyMulticastChannel implements MulticastChannel {
    private final JobMeans means;
    private final NettyCommunicator world;
    private final ChannelOptions options;
    private final int number;
    private final MulticastStrategy strategy;
    private final PieceHasher hasher;
    private final Overlay overlay;
    private final EventLoop brainLoop;
    private final Map<Integer, PeerLink> links;
    private final Consumer<RobberException> failureListener = this::failed;

    private long nextSequence;
    private @Nullable Running running;
    private @Nullable RobberException failure;
    private TransferStats lastStats;
    private volatile boolean closing;

    /** A multicast that has begun and isn't flushed. */
    private record Running(
            String phase,
            RootDigest rootDigest,
            Transfer transfer,
            TransferTally tally,
            CompletableFuture<?> verified,
            CompletableFuture<byte[]> everyoneHasIt,
            ScheduledFuture<?> reports) {}

    static NettyMulticastChannel open(JobMeans means, NettyCommunicator world, ChannelOptions options, int number) {
        return new NettyMulticastChannel(means, world, options, number);
    }

    private NettyMulticastChannel(JobMeans means, NettyCommunicator world, ChannelOptions options, int number) {
        this.means = means;
        this.world = world;
        this.options = options;
        this.number = number;
        this.strategy = Strategies.byName(options.strategy(), options.bandwidths());
        this.hasher = PieceHashers.named(options.digest());
        this.overlay = plan();
        this.brainLoop = means.sockets().group().next();
        this.lastStats = new TransferTally(means.topology(), 0, 0, System.nanoTime()).stats();
        String call =
                "open channel " + number + " with strategy " + strategy.fingerprint() + ", digest " + options.digest();
        Meeting connected = means.assembly().begin(call);
        this.links = world.waiting()
                .until(
                        new ChannelLinks(means, number, new LinkWatch(means, () -> closing, this::phase))
                                .connect(overlay),
                        "connect");
        means.assembly().onFailure(failureListener);
        world.waiting().until(connected.arrive(new byte[0], payloads -> new byte[0]), "connect");
    }

    private Overlay plan() {
        try {
            return strategy.planOverlay(
                    means.topology(), means.assembly().roster().seed() + number);
        } catch (IllegalArgumentException e) {
            throw new RobberException(
                    Reason.USAGE, List.of(), "plan", "strategy " + strategy.name() + ": " + e.getMessage(), e);
        }
    }

    private void failed(RobberException first) {
        Running now;
        synchronized (this) {
            failure = first;
            now = running;
        }
        closing = true;
        if (now != null) {
            now.transfer().close(first);
        }
        links.values().forEach(PeerLink::close);
    }

    private synchronized String phase() {
        return running == null ? "idle" : running.phase();
    }

    @Override
    public void multicast(ByteBuffer data) {
        checkArgument(means.rank() == 0 || !data.isReadOnly(), "nothing can be received into a read-only buffer");
        multicast(BufferStorage.of(data.slice()), 0);
    }

    @Override
    public void multicast(Storage data, int rootRank) {
        checkArgument(rootRank >= 0 && rootRank < world.size(), "root rank %s of %s nodes", rootRank, world.size());
        flush();
        checkState(!closing, "the channel is closed");
        Begin begin = describe(data, rootRank);
        String phase = "multicast " + begin.sequence() + (number == 0 ? "" : " on channel " + number);
        Meeting meeting = means.assembly()
                .begin(phase + " of " + begin.totalBytes() + " bytes in pieces of " + begin.pieceBytes() + " from rank "
                        + rootRank);
        Running running = begin(begin, data, phase, meeting);
        if (rootRank != means.rank()) {
            world.waiting().until(running.verified(), phase);
        }
    }

    private Begin describe(Storage data, int rootRank) {
        PieceLayout layout = options.pieceBytes() == 0
                ? means.nearness().automaticLayout(data.sizeBytes())
                : new PieceLayout(data.sizeBytes(), options.pieceBytes());
        return new Begin(
                nextSequence++,
                rootRank,
                layout.totalBytes(),
                layout.pieceBytes(),
                strategy.fingerprint(),
                hasher.name());
    }

    private Running begin(Begin begin, Storage data, String phase, Meeting meeting) {
        PieceLayout layout = new PieceLayout(begin.totalBytes(), begin.pieceBytes());
        boolean root = begin.rootRank() == means.rank();
        NodeSetup setup = new NodeSetup(
                means.rank(),
                means.topology(),
                overlay,
                begin.rootRank(),
                root ? PieceSet.full(layout.pieceCount()) : PieceSet.empty(layout.pieceCount()),
                means.assembly().roster().seed() + begin.sequence(),
                options.requestWindow(),
                layout.pieceBytes());
        TransferTally tally = new TransferTally(
                means.topology(), begin.totalBytes(), root ? begin.totalBytes() : 0, System.nanoTime());
        Transfer transfer = new Transfer(
                layout,
                data,
                root,
                strategy.createNode(setup),
                links,
                tally,
                new Transfer.Means(hasher, options.memoryBytes(), means.storageThreads(), brainLoop, System::nanoTime),
                new TransferFailures(means, phase, root));
        if (means.rank() == 0) {
            world.progress().begin(phase, begin.totalBytes(), begin.rootRank());
        }
        RootDigest rootDigest = new RootDigest(means, world, number, begin, phase);
        CompletableFuture<?> verified = root ? rootDigest.tell(transfer) : rootDigest.agreement(transfer);
        Running now = new Running(
                phase,
                rootDigest,
                transfer,
                tally,
                verified,
                verified.thenCompose(here -> meeting.arrive(new byte[0], payloads -> new byte[0])),
                report(phase, tally));
        RobberException failed;
        synchronized (this) {
            running = now;
            failed = failure;
        }
        if (failed != null) {
            transfer.close(failed);
        }
        for (PeerLink link : links.values()) {
            link.channel().eventLoop().execute(() -> link.begin(begin, transfer));
        }
        transfer.start();
        return now;
    }

    private ScheduledFuture<?> report(String phase, TransferTally tally) {
        return brainLoop.scheduleAtFixedRate(
                () -> means.assembly().report(new Progress(phase, tally.progressBytes(), tally.totalBytes())),
                ProgressBoard.PERIOD_MILLIS,
                ProgressBoard.PERIOD_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    @Override
    public void flush() {
        Running last;
        synchronized (this) {
            last = running;
        }
        if (last == null) {
            return;
        }
        try {
            world.waiting().until(last.everyoneHasIt(), last.phase());
            world.waiting().until(last.transfer().finished(), last.phase());
            if (means.rank() == 0) {
                world.progress().end();
            }
        } finally {
            last.reports().cancel(false);
        }
        for (PeerLink link : links.values()) {
            last.tally().control(controlBytesSent(link));
        }
        lastStats = last.tally().stats();
        last.transfer().release();
        last.rootDigest().forget();
        synchronized (this) {
            running = null;
        }
    }

    private long controlBytesSent(PeerLink link) {
        CompletableFuture<Long> bytes = new CompletableFuture<>();
        link.channel().eventLoop().execute(() -> bytes.complete(link.takeControlBytesSent()));
        return world.waiting().until(bytes, "flush");
    }

    @Override
    public TransferStats lastStats() {
        Running now;
        synchronized (this) {
            now = running;
        }
        return now == null ? lastStats : now.tally().stats();
    }

    @Override
    public void close() {
        if (closing) {
            return;
        }
        try {
            flush();
            // From here on the end of a connection is what everyone expects.
            Meeting meeting = means.assembly().begin("close channel " + number);
            closing = true;
            world.waiting().until(meeting.arrive(new byte[0], payloads -> new byte[0]), "close");
        } finally {
            closing = true;
            links.values().forEach(PeerLink::close);
            means.door().forget(number);
            means.assembly().forget(failureListener);
        }
    }
}

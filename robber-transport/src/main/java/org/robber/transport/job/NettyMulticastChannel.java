package org.robber.transport.job;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.ChannelOptions.OnLoss;
import org.robber.Communicator;
import org.robber.MulticastChannel;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.RootStripe;
import org.robber.Storage;
import org.robber.TransferStats;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.strategy.Strategies;
import org.robber.transport.collective.member.SoleCaller;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.job.peer.ChannelMembers;
import org.robber.transport.job.peer.JobContext;
import org.robber.transport.job.peer.PeerLinks;
import org.robber.transport.join.JoinableMulticast;
import org.robber.transport.link.TransferTally;
import org.robber.transport.rendezvous.BlockingCalls;
import org.robber.transport.rendezvous.ControlPlane.CollectiveCall;
import org.robber.transport.rendezvous.RankZeroControl;

/** A channel over TCP connections to the peers of the strategy's overlay, or through memory on one machine. */
final class NettyMulticastChannel implements MulticastChannel, JobListener {
    private final JobContext context;
    private final NettyJob job;
    private final NettyCommunicator world;
    private final ChannelOptions options;
    private final int number;
    private final TransferFactory transfers;
    private final PeerLinks links;
    private final ChannelMembers members;

    /** The size of the largest data that are published, the same at all nodes. */
    private final int mostPublishedBytes;

    private final ChannelMemory memory;

    /** Whether nodes agree on the memory for a multicast that has begun. */
    private volatile boolean agreeing;

    /** The description for nodes that join the next multicast; null if none may. */
    private byte @Nullable [] description;

    private final SoleCaller caller;
    private final BlockingCalls waits;
    private long nextSequence;

    /** A failure that a refused close has found, and has not thrown. */
    private @Nullable RobberException unreported;

    /** Written before {@link #failure} is read; at a failure it is read after that is written. */
    private volatile @Nullable ActiveMulticast active;

    private volatile @Nullable RobberException failure;
    private TransferStats lastStats;
    private volatile boolean closing;

    /** Null until it is first used. */
    private @Nullable NettyCommunicator communicator;

    /** Opens the channel, together with all other nodes. */
    NettyMulticastChannel(NettyJob job, NettyCommunicator world, ChannelOptions options, int number) {
        this.context = job.context();
        this.job = job;
        this.world = world;
        this.options = options;
        this.number = number;
        this.caller = new SoleCaller(context.rank(), "channel");
        this.waits = new BlockingCalls(context.rank(), this::giveUp);
        MulticastStrategy strategy = Strategies.byName(options.strategy(), options.bandwidths());
        this.transfers = new TransferFactory(
                context,
                options,
                strategy,
                PieceHashers.named(options.digest()),
                context.sockets().group().next());
        this.links = new PeerLinks(context, number);
        this.members = new ChannelMembers(context, strategy, number);
        this.lastStats = new TransferTally(context::topology, 0, 0).stats();
        if (options.onLoss() != OnLoss.ABORT) {
            context.controlPlane().rankZero().ifPresent(RankZeroControl::goOnWithoutLost);
        }
        boolean piecesOnly = ExchangeLanes.wantsPieces(options);
        this.mostPublishedBytes = piecesOnly ? -1 : PublishedMulticast.mostBytes(context.nearness());
        this.memory = new ChannelMemory(
                context,
                !piecesOnly
                        && options.sharesMemory()
                        && job.size() > 1
                        && context.nearness().isOneMachine(),
                options.memoryBytes());
        String call = "open channel " + number + " with strategy " + strategy.fingerprint() + ", digest "
                + options.digest() + ", on loss " + options.onLoss()
                + (options.sharesMemory() ? "" : ", without shared memory");
        CollectiveCall connected = context.controlPlane().begin(call);
        job.listen(this);
        BlockingCalls waiting = waiting();
        waiting.until(links.open(members.group(), members.overlay()), "connect");
        waiting.until(connected.arrive(), "connect");
        members.leaveOut(connected.lost(), Map.of());
    }

    @Override
    public void lost(int rank, RobberException why) {
        if (active != null || agreeing) {
            abort(why);
        }
        links.nodeLost(rank);
        ActiveMulticast now = active;
        if (now != null) {
            now.lost(rank, why);
        }
    }

    /** The waits of one call. */
    private BlockingCalls waiting() {
        return waits.within(world.callLimit());
    }

    /** A wait has failed. Later calls fail, too, even before the job tells of its failure. */
    private void giveUp(RobberException why) {
        failure = failure == null ? why : failure;
        context.controlPlane().giveUp(why);
    }

    /** Ends the job after this loss, if the channel is to. */
    private void abort(RobberException loss) {
        if (context.rank() == 0 && options.onLoss() == OnLoss.ABORT) {
            context.controlPlane().fail(loss);
        }
    }

    @Override
    public void left(RobberException why) {
        failure = why;
        ActiveMulticast now = active;
        if (now != null) {
            now.close(why);
        }
        links.endWait(why);
    }

    @Override
    public void failed(RobberException first) {
        failure = first;
        ActiveMulticast now = active;
        closing = true;
        if (now != null) {
            now.close(first);
        }
        links.abort(first);
    }

    @Override
    public void multicast(ByteBuffer data, int rootRank) {
        checkArgument(data != null, "data is null");
        multicast(Storage.of(data), rootRank);
    }

    @Override
    public Communicator communicator() {
        checkOpen();
        NettyCommunicator open = communicator;
        if (open == null) {
            open = world.forChannel("communicator of channel " + number, options);
            job.watchCalls(open.members());
            communicator = open;
        }
        return open;
    }

    @Override
    public void multicast(Storage data, int rootRank) {
        checkArgument(data != null, "data is null");
        checkArgument(
                context.rank() == rootRank || !data.isReadOnly(), "nothing can be received into a read-only buffer");
        caller.run("multicast", () -> multicast(data, rootRank, waitingForFlush(rootRank)));
    }

    private void multicast(Storage data, int rootRank, BlockingCalls waiting) {
        long bytes = data.sizeBytes();
        String phase = CallTerms.phase(nextSequence, number);
        if (bytes >= 0 && bytes <= mostPublishedBytes) {
            PublishedMulticast now = new PublishedMulticast(
                    transfers, job, links, members.group(), number, nextSequence++, data, (int) bytes, rootRank);
            begun(now);
            now.start();
            waiting.until(now.verified(), phase);
        } else if (bytes < 0 || !throughMemory(phase, data, rootRank, waiting)) {
            inPieces(data, wholeOf(data, rootRank), false, waiting);
        }
    }

    /** Multicasts through memory; returns false if the data have to go in pieces, with the same number. */
    private boolean throughMemory(String phase, Storage data, int rootRank, BlockingCalls waiting) {
        agreeing = true;
        try {
            String call = phase + " of " + data.sizeBytes() + " bytes from rank " + rootRank;
            if (!memory.isShared(call, waiting)) {
                return false;
            }
            MulticastThroughMemory now =
                    new MulticastThroughMemory(transfers, job, links, members.group(), phase, data, rootRank, memory);
            begun(now);
            if (now.run(description != null, waiting)) {
                nextSequence++;
                return true;
            }
            active = null;
            return false;
        } finally {
            agreeing = false;
        }
    }

    @Override
    public void resume(Storage data, int rootRank) {
        checkArgument(data != null, "data is null");
        multicast(data, wholeOf(data, rootRank), true);
    }

    @Override
    public void multicast(Storage data, List<RootStripe> stripes) {
        multicast(data, stripes, false);
    }

    @Override
    public void resume(Storage data, List<RootStripe> stripes) {
        multicast(data, stripes, true);
    }

    private static List<RootStripe> wholeOf(Storage data, int rootRank) {
        return List.of(new RootStripe(rootRank, data.sizeBytes()));
    }

    @Override
    public void letJoin(byte[] newDescription) {
        checkState(context.rank() == 0, "only rank 0 lets others join");
        checkArgument(newDescription != null, "description is null");
        description = newDescription;
    }

    private void multicast(Storage data, List<RootStripe> stripes, boolean resumed) {
        checkArgument(data != null, "data is null");
        checkArgument(stripes != null, "stripes is null");
        int[] roots = stripes.stream().mapToInt(RootStripe::rootRank).toArray();
        caller.run("multicast", () -> inPieces(data, stripes, resumed, waitingForFlush(roots)));
    }

    /** All before is flushed. */
    private void inPieces(Storage data, List<RootStripe> stripes, boolean resumed, BlockingCalls waiting) {
        CallTerms terms =
                CallTerms.ofMulticast(transfers, job, members.group(), number, nextSequence, data, stripes, resumed);
        // A call that is refused is none.
        nextSequence++;
        JoinableMulticast offer =
                description == null ? null : new JoinableMulticast(number, terms.begin(), description);
        description = null;
        MulticastInPieces now = new MulticastInPieces(transfers, job, members, links, terms, data, offer);
        begun(now);
        now.start();
        if (resumed && terms.isRoot()) {
            now.readRest();
        }
        if (!terms.hasAll()) {
            waiting.until(now.verified(), terms.phase());
        }
    }

    /** Flushes before a multicast from these roots. */
    private BlockingCalls waitingForFlush(int... rootRanks) {
        for (int rank : rootRanks) {
            checkArgument(rank >= 0 && rank < job.size(), "root rank %s of %s nodes", rank, job.size());
        }
        BlockingCalls waiting = waiting();
        flush(waiting);
        checkOpen();
        return waiting;
    }

    private void begun(ActiveMulticast now) {
        active = now;
        // Nodes that were lost since the last multicast would not get this one.
        Map<Integer, RobberException> lost = job.lost();
        members.group().ranks().stream()
                .filter(lost::containsKey)
                .map(lost::get)
                .forEach(this::abort);
        if (failure != null) {
            now.close(failure);
        }
    }

    /** A job that fails closes its channels, at any moment: then its failure is thrown. */
    private void checkOpen() {
        RobberException first = failure;
        if (first != null) {
            throw BlockingCalls.again(first);
        }
        checkState(!closing, "the channel is closed");
    }

    @Override
    public void flush() {
        caller.run("flush", () -> {
            if (active == null) {
                // A wait of the last multicast may have failed before it began.
                checkOpen();
            }
            flush(waiting());
        });
    }

    private void flush(BlockingCalls waiting) {
        RobberException partial = end(waiting);
        if (partial != null) {
            throw partial;
        }
    }

    /** Waits for the end of the multicast under way. Returns the failure to throw if all nodes have everything but those that were lost. */
    private @Nullable RobberException end(BlockingCalls waiting) {
        ActiveMulticast last = active;
        if (last == null) {
            return null;
        }
        last.awaitEnd(waiting);
        lastStats = last.stats();
        last.release();
        active = null;
        members.leaveOut(last.lost(), job.lost());
        return options.onLoss() == OnLoss.THROW && !members.missing().isEmpty()
                ? TransferFailures.partial(members.missing(), last.phase())
                : null;
    }

    @Override
    public Map<Integer, RobberException> missing() {
        return members.missing();
    }

    @Override
    public TransferStats lastStats() {
        ActiveMulticast now = active;
        return now == null ? lastStats : now.stats();
    }

    /** Gives back the memory of what goes on, when nothing goes on any more. */
    void release() {
        ActiveMulticast now = active;
        if (now != null) {
            now.release();
        }
    }

    @Override
    public void close() {
        if (!closing) {
            caller.run("close", this::closeTogether);
        }
    }

    private void closeTogether() {
        NettyCommunicator open = communicator;
        boolean refused = false;
        try {
            BlockingCalls waiting = waiting();
            RobberException ofLast = end(waiting);
            unreported = ofLast == null ? unreported : ofLast;
            if (open != null) {
                refused = true;
                open.close();
                refused = false;
            }
            // From here on the end of a connection is what everyone expects.
            CollectiveCall collectiveCall = context.controlPlane().begin("close channel " + number);
            closing = true;
            waiting.until(collectiveCall.arrive(), "close");
            memory.close();
        } finally {
            // While another thread is in a call of the communicator, nothing is closed.
            if (!refused || (open != null && open.isClosed())) {
                closeHere();
            }
        }
        if (unreported != null) {
            throw unreported;
        }
    }

    private void closeHere() {
        closing = true;
        ActiveMulticast underWay = active;
        if (underWay != null) {
            // Nobody has waited for its end, and no event of the job would end it later.
            underWay.close(context.failure(
                    Reason.USAGE, context.rank(), "close", "the channel was closed while a multicast was under way"));
        }
        links.close();
        job.forget(this);
    }
}

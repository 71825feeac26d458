package org.robber.transport.job;

import com.google.common.base.Suppliers;
import com.google.common.hash.Hashing;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.TransferStats;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.reduce.ReductionPlanner;
import org.robber.core.strategy.AutoStrategy;
import org.robber.core.strategy.Strategies;
import org.robber.core.topology.DataPlacement;
import org.robber.transport.collective.exchange.Exchange;
import org.robber.transport.collective.exchange.Exchanges;
import org.robber.transport.job.peer.MulticastGroup;
import org.robber.transport.link.TransferTally;
import org.robber.transport.link.pace.Distance;

/**
 * The exchanges of one group, one after the other. A node begins the next one when it has nearly all of the one before, so the lines are busy while others still
 * lack something. Two of each kind are under way at once, over different connections. Thread-safe.
 */
final class ExchangeLanes implements Exchanges {
    private static final int LANES = 2;

    /** Bytes that members send each other in one call without pieces. Pieces of more data cost no more time on one machine, and steal. */
    private static final long MOST_PERSONAL_BYTES = 16 << 20;

    private final NettyJob job;
    private final MulticastGroup group;
    private final ChannelOptions options;
    private final Supplier<MulticastStrategy> strategy;
    private final Map<Lane, ExchangeChannel> channels = new HashMap<>();

    /**
     * How many exchanges have begun, which is the same at all members. Calls that are only meetings do not count, so two exchanges in a row have different
     * connections.
     */
    private final AtomicLong begun = new AtomicLong();

    /** Whether personal messages are not used. */
    private volatile boolean piecesOnly;

    private Begun last = new Begun(CompletableFuture.completedFuture(null), CompletableFuture.completedFuture(null));
    private volatile @Nullable ExchangeChannel lastUsed;

    /**
     * Connections of one kind.
     *
     * @param options how they are used
     */
    private record Lane(int number, boolean complete, ChannelOptions options) {}

    /**
     * An exchange.
     *
     * @param nearlyHere completes when this node has nearly all that it wants, or the exchange has ended; never fails
     * @param over completes when all members have what they want
     */
    private record Begun(CompletableFuture<Void> nearlyHere, CompletableFuture<Void> over) {}

    ExchangeLanes(NettyJob job, MulticastGroup group, ChannelOptions options) {
        this.job = job;
        this.group = group;
        this.options = options;
        this.piecesOnly = wantsPieces(options);
        this.strategy = Suppliers.memoize(() -> Strategies.byName(options.strategy(), options.bandwidths()));
    }

    /** A user who chooses how pieces move, or how they are verified, wants pieces. */
    static boolean wantsPieces(ChannelOptions options) {
        ChannelOptions defaults = ChannelOptions.defaults();
        boolean leavesChoice = options.strategy().equals(defaults.strategy())
                || options.strategy().equals(AutoStrategy.NAME);
        return options.pieceBytes() != 0 || !leavesChoice || !options.digest().equals(defaults.digest());
    }

    @Override
    public int pieceBytes(long totalBytes) {
        return pieceBytes(totalBytes, () -> totalBytes);
    }

    @Override
    public int pieceBytes(long totalBytes, Supplier<DataPlacement> placement) {
        return pieceBytes(totalBytes, () -> placement.get().mostBytesOfCluster(totalBytes, group.topology()));
    }

    @Override
    public int reductionPieceBytes(long vectorBytes) {
        return pieceBytes(vectorBytes, () -> ReductionPlanner.bytesOfCluster(vectorBytes, group.topology()));
    }

    private int pieceBytes(long totalBytes, LongSupplier bytesOfCluster) {
        return options.pieceBytes() == 0
                ? job.context()
                        .nearness()
                        .automaticLayout(totalBytes, bytesOfCluster)
                        .pieceBytes()
                : (int) Math.min(options.pieceBytes(), Math.max(1, totalBytes));
    }

    /** To be called before the first call: all data but the fewest move in pieces. */
    void usePiecesOnly() {
        piecesOnly = true;
    }

    @Override
    public long mostPersonalBytes() {
        return piecesOnly ? 0 : MOST_PERSONAL_BYTES;
    }

    @Override
    public boolean hasLongLines() {
        return group.topology().clusterCount() > 1 && job.context().nearness().hasLongLines();
    }

    @Override
    public boolean isOneMachine() {
        return !piecesOnly
                && options.sharesMemory()
                && group.ranks().stream()
                        .allMatch(rank ->
                                job.context().nearness().distance(group.ranks().get(0), rank) == Distance.SAME_MACHINE);
    }

    @Override
    public boolean mayShareMemory() {
        return job.context().mayShareMemory();
    }

    @Override
    public ReductionPlanner reductions() {
        return strategy.get().reductions(group.topology());
    }

    @Override
    public CompletableFuture<Void> run(Exchange exchange) {
        boolean complete = !exchange.placement().isWantedByAll();
        // Not every strategy can do more than a multicast from one root.
        ChannelOptions chosen =
                exchange.placement().hasSingleRoot() || !strategy.get().needsSingleRoot()
                        ? options
                        : options.withStrategy(ChannelOptions.defaults().strategy());
        ExchangeChannel channel = channel(new Lane((int) (begun.getAndIncrement() % LANES), complete, chosen));
        lastUsed = channel;
        channel.connect();
        return run(exchange, channel);
    }

    private synchronized CompletableFuture<Void> run(Exchange exchange, ExchangeChannel channel) {
        Begun before = last;
        CompletableFuture<Void> nearlyHere = new CompletableFuture<>();
        CompletableFuture<Void> over = before.nearlyHere
                .thenCompose(free -> channel.run(exchange, nearlyHere, before.over::isDone))
                .whenComplete((done, problem) -> nearlyHere.complete(null));
        last = new Begun(nearlyHere, over);
        return over;
    }

    @Override
    public <T> CompletableFuture<T> watched(String call, CompletableFuture<T> part) {
        OwnPartWatch.begin(job, group.members(), call, part);
        return part;
    }

    @Override
    public synchronized CompletableFuture<Void> idle() {
        // By then, each exchange is at its channel.
        return last.over.handle((done, problem) -> true).thenCompose(over -> channelsIdle());
    }

    private synchronized CompletableFuture<Void> channelsIdle() {
        return CompletableFuture.allOf(
                channels.values().stream().map(ExchangeChannel::idle).toArray(CompletableFuture<?>[]::new));
    }

    @Override
    public void close() {
        List<ExchangeChannel> open;
        synchronized (this) {
            open = List.copyOf(channels.values());
            channels.clear();
        }
        // Without the lock: calls that end here tell their users.
        open.forEach(each -> {
            job.forget(each);
            each.close();
        });
    }

    /** What the exchange that was begun last has moved. */
    TransferStats lastStats() {
        ExchangeChannel channel = lastUsed;
        return channel == null ? new TransferTally(job.context()::topology, 0, 0).stats() : channel.lastStats();
    }

    private ExchangeChannel channel(Lane lane) {
        ExchangeChannel made;
        synchronized (this) {
            ExchangeChannel open = channels.get(lane);
            if (open != null) {
                return open;
            }
            made = new ExchangeChannel(job.context(), group, lane.options, lane.complete, channelNumber(lane));
            channels.put(lane, made);
        }
        job.listen(made);
        return made;
    }

    /** Even and negative: no channel that an application opens has such a number, and neither has the mesh. */
    private long channelNumber(Lane lane) {
        long hash = Hashing.sha256()
                .newHasher()
                .putLong(group.members().id())
                .putInt(lane.number)
                .putBoolean(lane.complete)
                .putUnencodedChars(lane.options.strategy())
                .hash()
                .asLong();
        return (hash | Long.MIN_VALUE) & ~1L;
    }
}

package org.robber.transport.job;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.Ints;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.Communicator;
import org.robber.ElementRange;
import org.robber.MulticastChannel;
import org.robber.MulticastStream;
import org.robber.Op;
import org.robber.Operation;
import org.robber.Parts;
import org.robber.RobberException;
import org.robber.Storage;
import org.robber.StreamOptions;
import org.robber.TransferStats;
import org.robber.core.meeting.Group;
import org.robber.core.meeting.Survivors;
import org.robber.core.strategy.Strategies;
import org.robber.core.topology.Topology;
import org.robber.transport.collective.CallRunner;
import org.robber.transport.collective.CountedCalls;
import org.robber.transport.collective.DataCalls;
import org.robber.transport.collective.ReductionCalls;
import org.robber.transport.collective.RootSizedCalls;
import org.robber.transport.collective.StripedCalls;
import org.robber.transport.collective.data.ArgumentHash;
import org.robber.transport.collective.member.Membership;
import org.robber.transport.control.ControlFailures;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.job.peer.JobContext;
import org.robber.transport.job.peer.MulticastGroup;
import org.robber.transport.link.piece.PieceBuffers;
import org.robber.transport.stream.StreamReader;
import org.robber.transport.stream.StreamWriter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A group of nodes: small calls over the mesh, larger ones over data channels. */
final class NettyCommunicator implements Communicator {
    private static final Logger LOG = LoggerFactory.getLogger(NettyCommunicator.class);

    private final NettyJob job;
    private final Group members;
    private final Topology topology;
    private final int rank;
    private final CallRunner runner;
    private final DataCalls dataCalls;
    private final CountedCalls countedCalls;
    private final ReductionCalls reductionCalls;
    private final RootSizedCalls rootSizedCalls;
    private final StripedCalls stripedCalls;
    private final Subgroups subgroups;
    private final ChannelOptions options;
    private final ExchangeLanes lanes;
    private int channels;
    private volatile boolean closed;

    /** All nodes of the job. */
    NettyCommunicator(NettyJob job, Group members) {
        this(job, members, ChannelOptions.defaults(), null);
    }

    /**
     * One that another has made.
     *
     * @param options of the calls that move much
     * @param survivors what made it, if a shrink did
     */
    private NettyCommunicator(NettyJob job, Group members, ChannelOptions options, @Nullable Survivors survivors) {
        JobContext context = job.context();
        MulticastGroup group = MulticastGroup.of(members, context.topology());
        this.job = job;
        this.members = members;
        this.topology = group.topology();
        this.rank = members.number(context.rank());
        this.options = options;
        this.lanes = new ExchangeLanes(job, group, options);
        this.runner = new CallRunner(
                new Membership(
                        members,
                        rank,
                        topology,
                        job.callWaiting(),
                        context.controlPlane()::fail,
                        each -> ControlFailures.who(each, context.controlPlane().roster())),
                job::meetings,
                lanes,
                context.storageThreads());
        this.dataCalls = new DataCalls(runner);
        this.countedCalls = new CountedCalls(runner);
        this.reductionCalls = new ReductionCalls(runner);
        this.rootSizedCalls = new RootSizedCalls(runner);
        this.stripedCalls = new StripedCalls(runner);
        this.subgroups = new Subgroups(job, this, survivors);
    }

    /** A communicator that this one has made. */
    NettyCommunicator child(Group group, ChannelOptions newOptions) {
        return made(group, newOptions, null);
    }

    /** A communicator of those of these nodes that are left. */
    NettyCommunicator shrunk(Group group, Survivors survivors) {
        return made(group, options, survivors);
    }

    private NettyCommunicator made(Group group, ChannelOptions newOptions, @Nullable Survivors survivors) {
        NettyCommunicator child = new NettyCommunicator(job, group, newOptions, survivors);
        Duration limit = runner.callLimit();
        child.runner.limitCalls(() -> limit);
        return child;
    }

    /** The communicator of a channel of this one: the limit of this one holds for it, whenever it is set. */
    NettyCommunicator forChannel(String purpose, ChannelOptions newOptions) {
        NettyCommunicator child = withOptions(purpose, newOptions);
        child.runner.limitCalls(runner::callLimit);
        return child;
    }

    ChannelOptions options() {
        return options;
    }

    /** A communicator of the same nodes with these options, made together with all other nodes. */
    NettyCommunicator withOptions(String purpose, ChannelOptions newOptions) {
        PieceHashers.named(newOptions.digest());
        String strategy = Strategies.byName(newOptions.strategy(), newOptions.bandwidths())
                .fingerprint();
        return subgroups.withOptions(
                purpose + " with strategy " + strategy + ", digest " + newOptions.digest() + ", pieces of "
                        + newOptions.pieceBytes() + ", request window " + newOptions.requestWindow()
                        + (newOptions.sharesMemory() ? "" : ", without shared memory"),
                newOptions);
    }

    /** As {@link ExchangeLanes#usePiecesOnly}. */
    void usePiecesOnly() {
        lanes.usePiecesOnly();
    }

    /** What the last call in pieces has moved. */
    TransferStats lastStats() {
        return lanes.lastStats();
    }

    Group members() {
        return members;
    }

    /** All say something small, and learn what the others say, by rank. */
    List<byte[]> tell(String call, byte[] payload) {
        return runner.tell(call, payload).await();
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return members.size();
    }

    @Override
    public int worldRank(int member) {
        return members.rank(checkMember(member));
    }

    private int checkMember(int member) {
        checkArgument(member >= 0 && member < size(), "rank %s of %s nodes", member, size());
        return member;
    }

    @Override
    public List<String> clusters() {
        return IntStream.range(0, topology.clusterCount())
                .mapToObj(topology::clusterName)
                .toList();
    }

    @Override
    public int clusterOf(int member) {
        return topology.clusterOf(checkMember(member));
    }

    @Override
    public String nodeName(int member) {
        return job.context().topology().nodeName(worldRank(member));
    }

    @Override
    public String hostName(int member) {
        return job.context().member(worldRank(member)).host();
    }

    @Override
    public int automaticPieceBytes(long totalBytes) {
        checkArgument(totalBytes >= 0, "totalBytes: %s", totalBytes);
        return job.context().nearness().automaticLayout(totalBytes).pieceBytes();
    }

    @Override
    public Map<Integer, RobberException> lost() {
        Map<Integer, RobberException> lost = new TreeMap<>();
        job.lost().forEach((worldRank, why) -> {
            if (members.number(worldRank) >= 0) {
                lost.put(members.number(worldRank), why);
            }
        });
        return lost;
    }

    @Override
    public void onLost(BiConsumer<Integer, RobberException> listener) {
        checkArgument(listener != null, "the listener is null");
        job.listen((worldRank, why) -> {
            int rank = members.number(worldRank);
            if (rank >= 0) {
                tell(listener, rank, why);
            }
        });
    }

    /** A listener that throws does not end the job, which goes on after the loss. */
    private static void tell(BiConsumer<Integer, RobberException> listener, int rank, RobberException why) {
        try {
            listener.accept(rank, why);
        } catch (RuntimeException e) {
            LOG.error("a listener failed when it was told of the loss of rank {}", rank, e);
        }
    }

    @Override
    public Operation<Void> iBarrier() {
        return dataCalls.barrier();
    }

    @Override
    public Operation<Void> iBcast(Object data, int... roots) {
        return dataCalls.bcast(data, roots);
    }

    @Override
    public Operation<Long> iBcastUpTo(Object data, int root) {
        return rootSizedCalls.bcastUpTo(data, root);
    }

    @Override
    public <T> Operation<T> iBcast(@Nullable T data, IntFunction<? extends T> allocator, int root) {
        checkArgument(rank == root || allocator != null, "allocator is null");
        return rootSizedCalls.bcast(data, count -> allocator.apply(Ints.checkedCast(count)), root);
    }

    @Override
    public Operation<Storage> iBcastStorage(
            @Nullable Storage data, LongFunction<? extends Storage> allocator, int root) {
        checkArgument(rank == root || allocator != null, "allocator is null");
        return rootSizedCalls.bcast(data, allocator, root);
    }

    @Override
    public Operation<Void> iBcast(Object data, List<ElementRange> present) {
        return stripedCalls.bcast(data, present);
    }

    @Override
    public Operation<Void> iAllGather(Object part, Object all) {
        return dataCalls.allGather(part, all);
    }

    @Override
    public Operation<Void> iAllGather(Object part, Object all, Parts parts) {
        return countedCalls.allGather(part, all, parts);
    }

    @Override
    public Operation<Void> iGather(Object part, @Nullable Object all, int root) {
        return dataCalls.gather(part, all, root);
    }

    @Override
    public Operation<Void> iGather(Object part, @Nullable Object all, @Nullable Parts parts, int root) {
        return countedCalls.gather(part, all, parts, root);
    }

    @Override
    public Operation<Void> iScatter(@Nullable Object all, Object part, int root) {
        return dataCalls.scatter(all, part, root);
    }

    @Override
    public Operation<Void> iScatter(@Nullable Object all, @Nullable Parts parts, Object part, int root) {
        return countedCalls.scatter(all, parts, part, root);
    }

    @Override
    public Operation<Void> iAllToAll(Object out, Object in) {
        return dataCalls.allToAll(out, in);
    }

    @Override
    public Operation<Void> iAllToAll(Object out, Parts outParts, Object in, Parts inParts) {
        return countedCalls.allToAll(out, outParts, in, inParts);
    }

    @Override
    public Operation<Void> iReduce(Object in, @Nullable Object out, Op op, int root) {
        return reductionCalls.reduce(in, out, op, root);
    }

    @Override
    public Operation<Void> iAllReduce(Object in, Object out, Op op) {
        return reductionCalls.allReduce(in, out, op);
    }

    @Override
    public Operation<Void> iReduceScatter(Object in, Object out, Op op) {
        return reductionCalls.reduceScatter(in, out, op);
    }

    @Override
    public Operation<Void> iReduceScatter(Object in, Object out, int[] counts, Op op) {
        return reductionCalls.reduceScatter(in, out, counts, op);
    }

    @Override
    public Operation<Void> iScan(Object in, Object out, Op op) {
        return reductionCalls.scan(in, out, op);
    }

    @Override
    public Operation<Void> iExScan(Object in, Object out, Op op) {
        return reductionCalls.exScan(in, out, op);
    }

    @Override
    public Optional<Communicator> split(int colour, int key) {
        return subgroups.split(colour, key);
    }

    @Override
    public Communicator splitByCluster() {
        return subgroups.splitBy("splitByCluster", member -> topology.clusterName(topology.clusterOf(member)));
    }

    @Override
    public Communicator splitByHost() {
        return subgroups.splitBy("splitByHost", this::hostName);
    }

    @Override
    public Optional<Communicator> group(int... ranks) {
        checkArgument(ranks != null, "ranks is null");
        return subgroups.group(
                "group of " + ranks.length + " ranks (hash " + ArgumentHash.of(IntStream.of(ranks)) + ")", ranks);
    }

    @Override
    public Optional<Communicator> leaders() {
        return subgroups.group(
                "leaders",
                IntStream.range(0, topology.clusterCount())
                        .map(cluster -> topology.member(cluster, 0))
                        .toArray());
    }

    @Override
    public Communicator shrink() {
        return subgroups.shrink();
    }

    @Override
    public Communicator withOptions(ChannelOptions newOptions) {
        checkOptions(newOptions);
        return withOptions("communicator", newOptions);
    }

    @Override
    public MulticastStream openStream(int root, StreamOptions streamOptions) {
        DataCalls.checkRoot(root, size());
        checkGiven(streamOptions);
        Duration dropAfter = streamOptions.dropAfter();
        long windowBytes = streamOptions.windowBytes();
        String call = "openStream from rank " + root + (dropAfter == null ? "" : " with dropAfter " + dropAfter)
                + (windowBytes == 0 ? "" : " with a window of " + windowBytes);
        NettyCommunicator own = (NettyCommunicator) subgroups.splitBy(call, member -> "");
        // Nobody knows when the root will write again.
        own.runner.limitCalls(() -> null);
        // Chunks overlap.
        own.usePiecesOnly();
        return own.rank() == root ? new StreamWriter(own, streamOptions) : reader(own, root, streamOptions);
    }

    private StreamReader reader(NettyCommunicator own, int root, StreamOptions streamOptions) {
        StreamReader reader = StreamReader.start(own, root, streamOptions);
        JobListener listener = new JobListener() {
            @Override
            public void lost(int worldRank, RobberException why) {
                // The call under way ends, and the reader with it.
            }

            @Override
            public void failed(RobberException why) {
                reader.jobEnded(why);
            }
        };
        job.listen(listener);
        reader.ended().thenRun(() -> job.forget(listener));
        return reader;
    }

    @Override
    public MulticastChannel multicastChannel(ChannelOptions newOptions) {
        checkOptions(newOptions);
        MulticastChannel channel = isWorld()
                ? new NettyMulticastChannel(job, this, newOptions, channels)
                : new GroupChannel(this, newOptions, channels);
        // A call that is refused is none.
        channels++;
        return channel;
    }

    private static void checkOptions(ChannelOptions options) {
        checkGiven(options);
        PieceBuffers.checkRoom(options.pieceBytes(), options.memoryBytes());
    }

    private static void checkGiven(@Nullable Object options) {
        checkArgument(options != null, "options is null");
    }

    private boolean isWorld() {
        return members.equals(Group.world(job.size()));
    }

    @Override
    public void limitCalls(Duration newLimit) {
        checkArgument(newLimit != null, "limit is null");
        checkArgument(!newLimit.isNegative() && !newLimit.isZero(), "limit is not positive: %s", newLimit);
        runner.limitCalls(() -> newLimit);
    }

    /** How long blocking calls may take; null: no limit. */
    @Nullable
    Duration callLimit() {
        return runner.callLimit();
    }

    @Override
    public void close() {
        if (!isWorld()) {
            runner.close(() -> {
                closed = true;
                job.context().mesh().closed(members);
            });
        }
    }

    /** Whether it was closed: a close is refused while another thread is in a call. */
    boolean isClosed() {
        return closed;
    }

    @Override
    public void fail(RobberException failure) {
        checkArgument(failure != null, "the failure is null");
        job.context().controlPlane().fail(failure);
    }

    @Override
    public NettyJobControl control() {
        return job.control();
    }
}

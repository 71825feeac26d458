package org.robber.transport.job;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.Ints;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.ChannelOptions;
import org.robber.Communicator;
import org.robber.MulticastChannel;
import org.robber.RobberException;
import org.robber.core.topology.Topology;
import org.robber.transport.rendezvous.ControlPlane.CollectiveCall;

/** The nodes of a job over control connections and {@link NettyMulticastChannel}s. */
final class NettyCommunicator implements Communicator {
    /** The topic of peers that a node has refused for corrupt data: a rank, a blank, and the reason. */
    static final String DISTRUST = "distrust";

    /** The topic of the pieces that a node lacks and no peer offers it. */
    static final String STARVED = "starved";

    private static final int MAX_PAYLOAD_BYTES = 1 << 20;

    private final JobContext context;
    private final BlockingCalls waiting;
    private final ProgressBoard progress;
    private final NettyJobControl control;
    private final Map<String, CompletableFuture<byte[]>> publications = new ConcurrentHashMap<>();
    private final Map<Integer, RobberException> lost = new ConcurrentHashMap<>();
    private final List<BiConsumer<Integer, RobberException>> lossListeners = new CopyOnWriteArrayList<>();
    private volatile @Nullable RobberException failure;
    private final BufferCollectives collectives = new BufferCollectives(this);
    private int channels;

    NettyCommunicator(JobContext context) {
        this.context = context;
        this.waiting = new BlockingCalls(context.rank(), context.controlPlane()::giveUp);
        this.progress = new ProgressBoard(context, System::nanoTime);
        this.control = new NettyJobControl(context, waiting, progress);
        context.controlPlane().onPublish(this::published);
        context.controlPlane().onFailure(this::failed);
        context.controlPlane().onLost(this::lost);
        context.controlPlane().onJoined((rank, joiner) -> {
            context.knownNodes().add(joiner);
            context.listener().welcome(rank);
        });
    }

    private void published(String topic, byte[] payload) {
        if (topic.equals(DISTRUST)) {
            String text = new String(payload, StandardCharsets.UTF_8);
            int blank = text.indexOf(' ');
            progress.distrusted(Integer.parseInt(text.substring(0, blank)), text.substring(blank + 1));
        } else if (topic.equals(STARVED)) {
            CopyWatch.Starved node = CopyWatch.Starved.decode(payload);
            if (node != null && rank() == 0) {
                progress.starved(node);
            }
        } else {
            publication(topic).complete(payload);
        }
    }

    private void lost(int rank, RobberException why) {
        lost.put(rank, why);
        progress.lose(rank);
        lossListeners.forEach(listener -> listener.accept(rank, why));
    }

    @Override
    public void onLost(BiConsumer<Integer, RobberException> listener) {
        lossListeners.add(listener);
        lost.forEach(listener);
    }

    /** Tells this one, which was given to {@link #onLost}, no more. */
    void forget(BiConsumer<Integer, RobberException> listener) {
        lossListeners.remove(listener);
    }

    private void failed(RobberException first) {
        failure = first;
        publications.values().forEach(each -> each.completeExceptionally(first));
    }

    /** The publication of this topic, once there is one; fails with the job. */
    CompletableFuture<byte[]> publication(String topic) {
        CompletableFuture<byte[]> publication = publications.computeIfAbsent(topic, name -> new CompletableFuture<>());
        RobberException failed = failure;
        if (failed != null) {
            publication.completeExceptionally(failed);
        }
        return publication;
    }

    /** Forgets a publication that everyone interested has seen. */
    void forgetPublication(String topic) {
        publications.remove(topic);
    }

    ProgressBoard progress() {
        return progress;
    }

    @Override
    public int rank() {
        return context.rank();
    }

    @Override
    public int size() {
        return context.topology().size();
    }

    @Override
    public List<String> clusters() {
        Topology topology = context.topology();
        return IntStream.range(0, topology.clusterCount())
                .mapToObj(topology::clusterName)
                .toList();
    }

    @Override
    public int clusterOf(int rank) {
        return context.topology().clusterOf(rank);
    }

    @Override
    public String nodeName(int rank) {
        return context.topology().nodeName(rank);
    }

    @Override
    public String hostName(int rank) {
        return context.member(rank).host();
    }

    @Override
    public int automaticPieceBytes(long totalBytes) {
        return context.nearness().automaticLayout(totalBytes).pieceBytes();
    }

    @Override
    public void barrier() {
        meet("barrier", new byte[0], payloads -> new byte[0]);
    }

    @Override
    public Map<Integer, RobberException> lost() {
        return Map.copyOf(lost);
    }

    @Override
    public List<byte[]> gather(byte[] payload) {
        checkArgument(payload.length <= MAX_PAYLOAD_BYTES, "%s bytes are too many to gather", payload.length);
        List<byte[]> gathered = new ArrayList<>();
        meet("gather", payload, payloads -> {
            gathered.addAll(payloads);
            return new byte[0];
        });
        return gathered;
    }

    @Override
    public byte[] broadcast(byte[] payload) {
        checkArgument(payload.length <= MAX_PAYLOAD_BYTES, "%s bytes are too many to broadcast", payload.length);
        return meet("broadcast", rank() == 0 ? payload : new byte[0], payloads -> payloads.get(0));
    }

    private byte[] meet(String call, byte[] payload, Function<List<byte[]>, byte[]> reply) {
        return waiting.until(context.controlPlane().begin(call).arrive(payload, reply), call);
    }

    /** A call that needs all nodes of the job: fails if any was lost, though the job goes on. */
    byte[] meetAll(String call, byte[] payload, Function<List<byte[]>, byte[]> reply) {
        CollectiveCall collectiveCall = context.controlPlane().begin(call);
        byte[] answer = waiting.until(collectiveCall.arrive(payload, reply), call);
        if (!collectiveCall.lost().isEmpty()) {
            throw TransferFailures.incomplete(lost(), call);
        }
        return answer;
    }

    @Override
    public void bcast(ByteBuffer data, int... roots) {
        collectives.bcast(data, Ints.asList(roots));
    }

    @Override
    public void allGather(ByteBuffer part, ByteBuffer all) {
        collectives.allGather(part, all);
    }

    @Override
    public void gather(ByteBuffer part, @Nullable ByteBuffer all, int root) {
        collectives.gather(part, all, root);
    }

    @Override
    public void scatter(@Nullable ByteBuffer all, ByteBuffer part, int root) {
        collectives.scatter(all, part, root);
    }

    @Override
    public void allToAll(ByteBuffer out, ByteBuffer in) {
        collectives.allToAll(out, in);
    }

    @Override
    public MulticastChannel multicastChannel(ChannelOptions options) {
        return openChannel(options, /* complete= */ false);
    }

    /** @param complete whether each node is connected to each other */
    NettyMulticastChannel openChannel(ChannelOptions options, boolean complete) {
        return new NettyMulticastChannel(context, this, options, complete, channels++);
    }

    @Override
    public void fail(RobberException failure) {
        context.controlPlane().fail(failure);
    }

    @Override
    public NettyJobControl control() {
        return control;
    }

    BlockingCalls waiting() {
        return waiting;
    }
}

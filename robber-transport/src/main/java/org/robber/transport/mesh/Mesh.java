package org.robber.transport.mesh;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.annotations.VisibleForTesting;
import io.netty.channel.Channel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.core.meeting.Group;
import org.robber.core.meeting.MeetingAction;
import org.robber.core.meeting.MeetingAction.Delivered;
import org.robber.core.meeting.MeetingAction.End;
import org.robber.core.meeting.MeetingAction.Met;
import org.robber.core.meeting.MeetingKey;
import org.robber.core.meeting.MeetingNode;
import org.robber.core.meeting.MeshMessage.OfMeeting;
import org.robber.core.meeting.PersonalPayloads;
import org.robber.core.wire.FieldWriter;
import org.robber.core.wire.WireException;
import org.robber.core.wire.WireLimits;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link Meetings} over connections between the nodes that talk to each other: one for each pair, made when a meeting first needs it, and
 * kept for all groups until the end of the job. Thread-safe.
 */
public final class Mesh implements Meetings, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Mesh.class);

    private static final long TICK_MILLIS = 250;

    /** Bytes that may take a slow line long. */
    private static final long MUCH_BYTES = 1 << 16;

    /** How long the peers have at the end to get more of what was sent to them. */
    private static final long LEAVE_LIMIT_SECONDS = 5;

    /** More than signs of life take while peers are waited for. */
    private static final long LEAST_PASSED_BYTES = 1 << 10;

    private final MeshNetwork network;
    private final MeshFailures failures;
    private final MeetingNode machine;
    private final Map<MeetingKey, CompletableFuture<End>> pending = new HashMap<>();
    private final Map<Integer, MeshLink> links = new ConcurrentHashMap<>();
    private final MeshLinkListener events = new LinkEvents();
    private final SharedMemoryPolling polling = new SharedMemoryPolling(this::readShared);
    private volatile Consumer<MeetingAction.Early> earlyListener = early -> {};
    private @Nullable RobberException failure;
    private boolean ticking;

    /** Read by whoever takes messages from the machine and sends them; written to leave once all are sent. */
    private final ReadWriteLock sending = new ReentrantReadWriteLock();

    private Mesh(MeshNetwork network) {
        this.network = network;
        this.failures = new MeshFailures(network.controlPlane());
        this.machine = new MeetingNode(network.rank(), network.topology());
    }

    /** Accepts connections of the mesh from now on. The mesh fails with the job; losses are to be told by {@link #lost}. */
    public static Mesh open(MeshNetwork network) {
        Mesh mesh = new Mesh(network);
        network.controlPlane().onFailure(mesh::fail);
        network.listener().expect(MeshNetwork.CHANNEL, mesh::accept);
        return mesh;
    }

    private void accept(int rank, Channel channel) {
        if (rank < network.topology().size()) {
            link(rank).connected(channel, /* byThisNode= */ false);
        } else {
            LOG.debug("rank {} has joined, and takes part in no calls", rank);
            channel.close();
        }
    }

    private MeshLink link(int rank) {
        MeshLink link = links.computeIfAbsent(rank, peer -> new MeshLink(peer, network, events));
        if (isOver()) {
            link.end();
        }
        return link;
    }

    private synchronized boolean isOver() {
        return failure != null;
    }

    @Override
    public CompletableFuture<List<byte[]>> meet(Group group, long number, String call, byte[] payload) {
        return begin(new MeetingKey(group.id(), number), call, () -> machine.begin(group, number, call, payload))
                .thenApply(end -> ((Met) end).payloads());
    }

    @Override
    public CompletableFuture<Map<Integer, ByteBuffer>> deliver(
            Group group, long number, String call, PersonalPayloads personal) {
        return begin(new MeetingKey(group.id(), number), call, () -> machine.deliver(group, number, call, personal))
                .thenApply(end -> ((Delivered) end).payloads());
    }

    private CompletableFuture<End> begin(MeetingKey key, String call, Supplier<List<MeetingAction>> beginning) {
        checkArgument(FieldWriter.utf8Bytes(call) <= WireLimits.MAX_NAME_BYTES, "too long a call: %s", call);
        CompletableFuture<End> meeting = new CompletableFuture<>();
        CompletableFuture<Boolean> begun = new CompletableFuture<>();
        try {
            handle(() -> {
                if (failure != null) {
                    meeting.completeExceptionally(failure);
                    return List.of();
                }
                List<MeetingAction> actions = beginning.get();
                pending.put(key, meeting);
                if (!ticking) {
                    ticking = true;
                    network.later(this::tick, TICK_MILLIS);
                }
                return actions;
            });
        } finally {
            begun.complete(true);
        }
        // The caller may change what it has given once the meeting is over; until all is encoded here, it is read.
        return meeting.thenCombine(begun, (end, all) -> end);
    }

    /** Sets the listener for messages of meetings that this node has not begun. It is called from event loops, and must not block. */
    public void onEarly(Consumer<MeetingAction.Early> listener) {
        earlyListener = listener;
    }

    /** As {@link MeetingNode#mayBegin}. */
    public synchronized boolean mayBegin(MeetingKey key) {
        return machine.mayBegin(key);
    }

    /** This node is done with the group. */
    public synchronized void closed(Group group) {
        machine.closed(group);
    }

    private void tick() {
        // A thread that polls may be held up by what a message has completed.
        boolean unused = polling.readAll();
        handle(() -> {
            ticking = machine.isMeeting();
            if (ticking) {
                network.later(this::tick, TICK_MILLIS);
            }
            return machine.tick();
        });
    }

    /** As {@link SharedMemoryPolling#poll}. */
    public void poll(CompletableFuture<?> awaited, long mostNanos) {
        polling.poll(awaited, mostNanos);
    }

    /** Handles the messages that a peer has written; returns whether there were any. */
    private boolean readShared(SharedMemory memory) {
        if (memory.isEmpty()) {
            return false;
        }
        List<MeetingAction> actions = new ArrayList<>();
        sending.readLock().lock();
        try {
            return memory.read(message -> actions.addAll(locked(() -> machine.received(memory.rank(), message))));
        } catch (WireException e) {
            actions.add(new MeetingAction.Breach(memory.rank(), String.valueOf(e.getMessage())));
            return true;
        } finally {
            sendAndUnlock(actions);
            tell(actions);
        }
    }

    /** Passes an event to the machine, with the lock, and does what it says. */
    private void handle(Supplier<List<MeetingAction>> event) {
        List<MeetingAction> actions = List.of();
        sending.readLock().lock();
        try {
            actions = locked(event);
        } finally {
            sendAndUnlock(actions);
        }
        tell(actions);
    }

    private void sendAndUnlock(List<MeetingAction> actions) {
        try {
            send(actions);
        } finally {
            sending.readLock().unlock();
        }
    }

    /** Without the lock of the machine: links have locks of their own. */
    private void send(List<MeetingAction> actions) {
        for (MeetingAction action : actions) {
            if (action instanceof MeetingAction.Connect connect) {
                connect.ranks().forEach(rank -> link(rank).connect());
            } else if (action instanceof MeetingAction.Send send) {
                ByteBuffer frame = MeshCodec.encode(send.message());
                send.ranks().forEach(rank -> link(rank).send(frame));
            }
        }
    }

    /** Without any lock: futures call their users. */
    private void tell(List<MeetingAction> actions) {
        for (MeetingAction action : actions) {
            if (action instanceof MeetingAction.Connect || action instanceof MeetingAction.Send) {
                // It has been done.
                continue;
            }
            if (action instanceof End end) {
                CompletableFuture<End> meeting = taken(end.key());
                if (meeting != null) {
                    meeting.complete(end);
                }
            } else if (action instanceof MeetingAction.MemberGone gone) {
                RobberException why = failures.gone(gone);
                CompletableFuture<End> meeting = taken(gone.key());
                if (meeting != null) {
                    meeting.completeExceptionally(why);
                }
            } else if (action instanceof MeetingAction.Early early) {
                earlyListener.accept(early);
            } else {
                failures.failJob(action);
            }
        }
    }

    private synchronized @Nullable CompletableFuture<End> taken(MeetingKey key) {
        return pending.remove(key);
    }

    /** The node was lost to the job. */
    public void lost(int rank, RobberException why) {
        failures.lost(rank, why);
        link(rank).end();
        polling.remove(rank);
        handle(() -> machine.lost(rank));
    }

    /** Rank 0 says that the node has left. */
    public void left(int rank) {
        leftMeetings(rank);
        link(rank).peerLeft();
    }

    /** The node takes part in nothing more. */
    private void leftMeetings(int rank) {
        polling.readFrom(rank);
        failures.left(rank);
        handle(() -> machine.unreachable(rank));
    }

    private synchronized List<MeetingAction> locked(Supplier<List<MeetingAction>> event) {
        return event.get();
    }

    private void fail(RobberException why) {
        List<CompletableFuture<End>> failed;
        synchronized (this) {
            failure = failure == null ? why : failure;
            failed = List.copyOf(pending.values());
            pending.clear();
        }
        failed.forEach(meeting -> meeting.completeExceptionally(why));
        links.values().forEach(MeshLink::end);
    }

    /** Ends the connections that there are; returns how many. They are made again. */
    @VisibleForTesting
    int breakConnections() {
        return (int) links.values().stream().filter(MeshLink::breakConnection).count();
    }

    /**
     * Leaves, once the peers have got what this node has sent. If next to nothing gets through for {@value #LEAVE_LIMIT_SECONDS} s, or for the idle timeout while
     * one still lacks much, they are not waited for. Meetings under way fail.
     */
    @Override
    public void close() {
        CompletableFuture<Void> left = leave();
        try {
            long passed = passedBytes();
            long passedBefore;
            do {
                passedBefore = passed;
                long limitSeconds =
                        lackingBytes() > MUCH_BYTES ? network.idleTimeout().toSeconds() : 0;
                await(left, Math.max(LEAVE_LIMIT_SECONDS, limitSeconds));
                passed = passedBytes();
            } while (!left.isDone() && Math.abs(passed - passedBefore) > LEAST_PASSED_BYTES);
            if (!left.isDone()) {
                LOG.warn("leaves though nodes lack {} bytes of what this node has sent", lackingBytes());
            }
        } finally {
            fail(failures.leftItself());
        }
    }

    /** Another thread may have taken the last messages of a meeting from the machine and not sent them yet. */
    private CompletableFuture<Void> leave() {
        sending.writeLock().lock();
        try {
            return CompletableFuture.allOf(
                    links.values().stream().map(MeshLink::leave).toArray(CompletableFuture<?>[]::new));
        } finally {
            sending.writeLock().unlock();
        }
    }

    /** Bytes that were sent to peers and may not have arrived. */
    long lackingBytes() {
        return links.values().stream().mapToLong(MeshLink::lackingBytes).sum();
    }

    /** Changes as bytes get through to peers that lack some. */
    private long passedBytes() {
        return links.values().stream().mapToLong(MeshLink::passedBytes).sum();
    }

    private static void await(CompletableFuture<Void> left, long limitSeconds) {
        left.copy().completeOnTimeout(null, limitSeconds, TimeUnit.SECONDS).join();
    }

    /** What the links tell. */
    private final class LinkEvents implements MeshLinkListener {
        @Override
        public void received(int rank, OfMeeting message) {
            handle(() -> machine.received(rank, message));
        }

        @Override
        public boolean mayShare() {
            return polling.hasRoom();
        }

        @Override
        public void shares(SharedMemory memory) {
            polling.add(memory);
        }

        @Override
        public void mayHaveMessages(SharedMemory memory) {
            readShared(memory);
        }

        @Override
        public void left(int rank) {
            leftMeetings(rank);
        }

        @Override
        public void unreachable(int rank, String why) {
            polling.readFrom(rank);
            failures.unreachable(rank, why);
            handle(() -> machine.unreachable(rank));
        }
    }
}

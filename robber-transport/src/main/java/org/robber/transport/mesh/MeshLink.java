package org.robber.transport.mesh;

import io.netty.channel.Channel;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.robber.core.meeting.MeshMessage;
import org.robber.core.meeting.MeshMessage.Leave;
import org.robber.core.meeting.MeshMessage.OfMeeting;
import org.robber.core.meeting.MeshMessage.Received;
import org.robber.core.meeting.MeshMessage.Ring;
import org.robber.core.meeting.MeshMessage.Share;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messages between this node and another one, whatever connections carry them: each arrives once. The higher rank connects to the
 * lower. The lower connects only if that takes long: the other may have left before it knew that it was needed. Thread-safe; calls
 * nobody else while it holds its lock.
 */
final class MeshLink {
    private static final Logger LOG = LoggerFactory.getLogger(MeshLink.class);

    /** After this many connections in a row that ended before they were of use, the peer is unreachable. */
    private static final int MOST_FAILURES = 10;

    private static final long PAUSE_MILLIS = 100;

    /** How long the lower rank waits at first for the higher one to connect. Wrong calls are told of half a second later. */
    private static final long FIRST_WAIT_MILLIS = 400;

    /** The same after a break, which the higher rank may notice later. */
    private static final long WAIT_AFTER_BREAK_MILLIS = 2000;

    /** How long a peer that cannot be reached may be a dead one whose loss rank 0 has not announced yet. */
    private static final long TOLD_LATE_MILLIS = 2000;

    /** The peer is told what has come after so many bytes, if it is not told at the next beat before. */
    private static final long ACKNOWLEDGED_BYTES = 1 << 18;

    private static final long MESSAGE_BYTES = 1 << 10;

    private static final ByteBuffer RING = MeshCodec.encode(new Ring());

    /** After so many messages two processes of one machine share memory. Jobs of a few calls do without. */
    private static final int MESSAGES_BEFORE_SHARING = 16;

    private final int rank;
    private final MeshNetwork network;
    private final MeshLinkListener listener;
    private final boolean isHigherRank;
    private final UnacknowledgedFrames unacknowledged = new UnacknowledgedFrames();
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    private @Nullable MeshConnection current;
    private volatile @Nullable SharedMemory shared;

    /** Whether the peer has said over this connection what it has got. */
    private boolean resumed;

    private boolean wanted;
    private boolean dialing;
    private boolean leaving;
    private boolean over;
    private long received;
    private long bytesToAcknowledge;
    private int failures;

    /** @param rank the peer */
    MeshLink(int rank, MeshNetwork network, MeshLinkListener listener) {
        this.rank = rank;
        this.network = network;
        this.listener = listener;
        this.isHigherRank = network.rank() > rank;
    }

    Duration idleTimeout() {
        return network.idleTimeout();
    }

    /** The peer is needed from now on. */
    void connect() {
        synchronized (this) {
            if (wanted || over) {
                return;
            }
            wanted = true;
        }
        dialAfter(isHigherRank ? 0 : FIRST_WAIT_MILLIS);
    }

    private void dialAfter(long pauseMillis) {
        if (pauseMillis == 0) {
            dial();
        } else {
            network.later(this::dial, pauseMillis);
        }
    }

    private void dial() {
        synchronized (this) {
            if (over || dialing || current != null) {
                return;
            }
            dialing = true;
        }
        network.dial(rank).whenComplete((channel, problem) -> {
            synchronized (this) {
                dialing = false;
            }
            if (channel != null) {
                connected(channel, /* byThisNode= */ true);
            } else {
                unreachable(String.valueOf(problem == null ? null : problem.getMessage()));
            }
        });
    }

    private void unreachable(String why) {
        network.later(
                () -> {
                    synchronized (this) {
                        if (over || current != null) {
                            return;
                        }
                    }
                    end();
                    listener.unreachable(rank, why);
                },
                TOLD_LATE_MILLIS);
    }

    /**
     * There is a connection, with all greetings. If both have connected, that of the higher rank stays. But if the peer is silent on it, the peer has
     * lost it.
     */
    void connected(Channel channel, boolean byThisNode) {
        MeshConnection fresh = new MeshConnection(this, channel, network.sendRate(rank), byThisNode == isHigherRank);
        MeshConnection earlier;
        synchronized (this) {
            earlier = current;
            boolean stays = earlier != null && earlier.isByHigherRank() && !earlier.isSilent();
            if (over || (stays && !fresh.isByHigherRank())) {
                channel.close();
                return;
            }
            wanted = true;
            resumed = false;
            current = fresh;
        }
        if (earlier != null) {
            earlier.close();
        }
        fresh.open(network.idleTimeout());
    }

    /** Tells the peer what has come from it. Serves as a sign of life, too. */
    synchronized void acknowledge(MeshConnection connection) {
        if (connection == current) {
            bytesToAcknowledge = 0;
            connection.send(MeshCodec.encode(new Received(received)));
        }
    }

    /** Sends a message of a meeting, now or when there is a connection. */
    synchronized void send(ByteBuffer frame) {
        if (over) {
            return;
        }
        SharedMemory memory = shared;
        if (memory != null && memory.offer(frame)) {
            if (memory.rings()) {
                sendOverConnection(RING);
            }
        } else {
            sendOverConnection(frame);
        }
    }

    private void sendOverConnection(ByteBuffer frame) {
        unacknowledged.add(frame);
        if (current != null && resumed) {
            current.send(frame);
        }
    }

    void received(MeshConnection connection, MeshMessage message) {
        boolean shares = false;
        synchronized (this) {
            if (connection != current || over) {
                return;
            }
            if (message instanceof Received told) {
                acknowledged(connection, told);
                return;
            }
            failures = 0;
            if (message instanceof OfMeeting || message instanceof Ring) {
                received++;
                bytesToAcknowledge += MESSAGE_BYTES + (message instanceof OfMeeting ofMeeting ? ofMeeting.bytes() : 0);
                shares = received == MESSAGES_BEFORE_SHARING && isHigherRank && connection.mayShareMemory();
            }
            if (message instanceof Leave || bytesToAcknowledge >= ACKNOWLEDGED_BYTES) {
                acknowledge(connection);
            }
            if (message instanceof Leave) {
                over();
            }
        }
        if (shares) {
            share(connection);
        }
        if (message instanceof OfMeeting ofMeeting) {
            listener.received(rank, ofMeeting);
        } else if (message instanceof Ring) {
            answerRing();
        } else if (message instanceof Share share) {
            open(connection, share);
        } else {
            listener.left(rank);
        }
    }

    private void answerRing() {
        SharedMemory memory = shared;
        if (memory != null) {
            memory.answer();
            listener.mayHaveMessages(memory);
        }
    }

    private void share(MeshConnection connection) {
        SharedMemory memory = listener.mayShare() ? SharedMemory.create(rank) : null;
        if (memory != null && useFromNowOn(memory)) {
            connection.send(MeshCodec.encode(memory.share()));
        }
    }

    /** Opens it, and so deletes the file, though this node may not use it. */
    private void open(MeshConnection connection, Share share) {
        SharedMemory memory = SharedMemory.open(rank, share);
        if (memory != null && connection.mayShareMemory() && listener.mayShare()) {
            boolean unused = useFromNowOn(memory);
        }
    }

    /** Returns whether the link is not over. */
    private boolean useFromNowOn(SharedMemory memory) {
        synchronized (this) {
            if (over) {
                memory.delete();
                return false;
            }
            shared = memory;
        }
        listener.shares(memory);
        // From now on the other node may ring.
        memory.open();
        return true;
    }

    private void acknowledged(MeshConnection connection, Received told) {
        unacknowledged.acknowledge(told.count());
        if (resumed) {
            failures = 0;
        } else {
            resumed = true;
            unacknowledged.all().forEach(connection::send);
            if (leaving) {
                connection.send(MeshCodec.encode(new Leave()));
            }
        }
        if (leaving && unacknowledged.isEmpty()) {
            left.complete(null);
        }
    }

    void ended(MeshConnection connection, String why) {
        long pauseMillis;
        boolean tooOften;
        synchronized (this) {
            if (connection != current) {
                return;
            }
            current = null;
            if (over || (leaving && unacknowledged.isEmpty())) {
                left.complete(null);
                return;
            }
            failures++;
            tooOften = failures > MOST_FAILURES;
            pauseMillis = (failures - 1) * PAUSE_MILLIS + (isHigherRank ? 0 : WAIT_AFTER_BREAK_MILLIS);
        }
        LOG.debug("the connection to rank {} has ended: {}", rank, why);
        if (tooOften) {
            unreachable(why);
        } else {
            dialAfter(pauseMillis);
        }
    }

    /** This node sends nothing more. Completes once the peer has got everything, or will not. */
    synchronized CompletableFuture<Void> leave() {
        leaving = true;
        if (over || (current == null && unacknowledged.isEmpty())) {
            left.complete(null);
        } else if (current != null && resumed) {
            current.send(MeshCodec.encode(new Leave()));
        }
        return left;
    }

    /** What the peer may not have got yet. */
    synchronized long lackingBytes() {
        return unacknowledged.bytes();
    }

    /** Grows with each byte that the peer's system gets while the peer lacks something. A new connection begins anew. */
    synchronized long passedBytes() {
        return current == null || unacknowledged.isEmpty() ? 0 : current.acknowledgedBytes() - unacknowledged.bytes();
    }

    /** Without a connection to the peer, which has left, there won't be one. Over a connection its last messages may still come. */
    synchronized void peerLeft() {
        if (current == null) {
            over();
        }
    }

    /** Nothing is sent or received any more. */
    synchronized void end() {
        over();
        if (current != null) {
            current.close();
        }
    }

    /** Ends the connection, if there is one; returns whether there was. */
    synchronized boolean breakConnection() {
        if (current != null) {
            current.close();
        }
        return current != null;
    }

    private void over() {
        over = true;
        if (shared != null) {
            shared.delete();
        }
        unacknowledged.clear();
        left.complete(null);
    }
}

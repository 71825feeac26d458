package org.robber.transport.reach;

import com.google.common.annotations.VisibleForTesting;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException.Reason;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.control.ControlMessage.Refuse;
import org.robber.transport.control.ControlMessage.Relay;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes on the bytes of nodes that cannot connect to each other, if this node can. Thread-safe. */
public final class RelayService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RelayService.class);

    /** How long to try to reach the node that is meant. */
    private static final Duration LIMIT = Duration.ofSeconds(6);

    /**
     * Streams, and dials for streams, at a time: two clusters of 32 nodes with one relay between them need so many. They cost it two descriptors
     * and a few hundred KiB each, so a few hundred MiB in all.
     */
    private static final int MAX_STREAMS = 1024;

    /** How long a node that leaves goes on for the others. */
    private static final long LEAVE_LIMIT_SECONDS = 5;

    private final PeerDialer dialer;
    private final Supplier<List<Member>> everyone;
    private final RelayChoice choice;
    private final Duration idle;
    private final int maxStreams;
    private final Semaphore places;
    private final LongAdder carriedBytes = new LongAdder();
    private final Set<Channel> carrying = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> idleAndClosed = new CompletableFuture<>();
    private volatile boolean closed;

    /**
     * Accepts requests from now on.
     *
     * @param idle streams that carry no byte for so long are ended
     */
    public RelayService(
            PeerDialer dialer,
            PeerListener listener,
            Supplier<List<Member>> everyone,
            RelayChoice choice,
            Duration idle) {
        this(dialer, listener, everyone, choice, idle, MAX_STREAMS);
    }

    @VisibleForTesting
    RelayService(
            PeerDialer dialer,
            PeerListener listener,
            Supplier<List<Member>> everyone,
            RelayChoice choice,
            Duration idle,
            int maxStreams) {
        this.dialer = dialer;
        this.everyone = everyone;
        this.choice = choice;
        this.idle = idle;
        this.maxStreams = maxStreams;
        this.places = new Semaphore(maxStreams);
        listener.take(this);
    }

    /** Bytes that this node has passed on, in both directions, as they came: with greetings, and encrypted where the nodes encrypt. */
    public long carriedBytes() {
        return carriedBytes.sum();
    }

    @VisibleForTesting
    boolean isCarrying() {
        return !carrying.isEmpty();
    }

    /** A node asks for a stream to another one. */
    void carry(Channel from, Relay request) {
        List<Member> nodes = everyone.get();
        String problem = problemWith(request, nodes);
        if (problem != null) {
            refuse(from, problem);
            return;
        }
        if (!places.tryAcquire()) {
            refuse(from, "it has " + maxStreams + " streams or dials for others, and takes no more");
            return;
        }
        dialer.dialForRelay(request, nodes.get(request.to()), LIMIT).whenComplete((to, trouble) -> {
            if (to == null) {
                places.release();
                refuse(from, "it has " + (trouble == null ? "no connection" : trouble.getMessage()));
            } else {
                begin(request, from, to);
            }
        });
    }

    private @Nullable String problemWith(Relay request, List<Member> nodes) {
        if (closed) {
            return "it leaves the job";
        }
        if (!choice.allows(dialer.rank())) {
            return "it is none of the nodes that may be relays";
        }
        return request.to() < nodes.size() ? null : "it knows no rank " + request.to();
    }

    private void refuse(Channel from, String why) {
        LOG.debug("refuses to be a relay: {}", why);
        FirstFrameHandler.say(
                from, new Refuse(Reason.NETWORK.exitCode(), "rank " + dialer.rank() + " is no relay: " + why));
        var unused = from.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    private void begin(Relay request, Channel from, Channel to) {
        LOG.debug("passes on bytes between rank {} and rank {}", request.from(), request.to());
        carrying.add(from);
        from.closeFuture().addListener(over -> {
            carrying.remove(from);
            places.release();
            closeIfIdle();
        });
        FirstFrameHandler.say(from, request);
        Splice.join(from, to, idle, carriedBytes::add);
    }

    private void closeIfIdle() {
        if (closed && carrying.isEmpty()) {
            idleAndClosed.complete(null);
        }
    }

    /** Takes no more requests, and waits until the streams have ended, or for {@value #LEAVE_LIMIT_SECONDS} s. */
    @Override
    public void close() {
        closed = true;
        closeIfIdle();
        idleAndClosed
                .completeOnTimeout(null, LEAVE_LIMIT_SECONDS, TimeUnit.SECONDS)
                .join();
    }
}

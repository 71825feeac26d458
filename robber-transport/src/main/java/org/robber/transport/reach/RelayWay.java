package org.robber.transport.reach;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.robber.transport.reach.KnownRoutes.Route;
import org.robber.transport.sockets.Sockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks nodes to pass on the bytes between this node and one that it cannot reach: a few at a time, until a connection through one of them has been greeted. Belongs
 * to an event loop.
 */
final class RelayWay {
    private static final Logger LOG = LoggerFactory.getLogger(RelayWay.class);

    /** How long one relay may take to reach the node, and the greeting through it. */
    static final Duration EACH_LIMIT = Duration.ofSeconds(8);

    /** A relay that takes so long is not the only one any more. */
    private static final long NEXT_MILLIS = 1000;

    private static final int MOST_AT_A_TIME = 4;

    /** Before all are asked once more. */
    private static final long AGAIN_MILLIS = 2000;

    private final PeerDialer dialer;
    private final Detours detours;
    private final Dial dial;
    private final EventLoop loop;
    private final Queue<Integer> candidates = new ArrayDeque<>();
    private final Map<Integer, CompletableFuture<Channel>> asked = new HashMap<>();
    private boolean begun;
    private boolean againIsDue;
    private int refusals;
    private @Nullable Throwable lastRefusal;

    RelayWay(PeerDialer dialer, Detours detours, Dial dial, EventLoop loop) {
        this.dialer = dialer;
        this.detours = detours;
        this.dial = dial;
        this.loop = loop;
    }

    /** Begins to ask, unless it has begun before. */
    void begin() {
        if (!begun) {
            begun = true;
            askAll();
        }
    }

    private void askAll() {
        againIsDue = false;
        if (!dial.isOver()) {
            detours.relaysTo(dial.rank()).stream()
                    .filter(relay -> !asked.containsKey(relay) && !candidates.contains(relay))
                    .forEach(candidates::add);
            askNext();
        }
    }

    private void askNext() {
        if (dial.isOver() || asked.size() >= MOST_AT_A_TIME) {
            return;
        }
        Integer relay = candidates.poll();
        if (relay == null) {
            // Each request has its own timer, and all of them may come here.
            if (asked.isEmpty() && !againIsDue) {
                againIsDue = true;
                loop.schedule(this::askAll, AGAIN_MILLIS, TimeUnit.MILLISECONDS);
            }
            return;
        }
        CompletableFuture<Channel> request =
                dialer.dialRelay(loop, relay, detours.member(relay), dial.rank(), EACH_LIMIT);
        asked.put(relay, request);
        request.whenComplete((channel, problem) -> {
            if (channel != null) {
                boolean unused = Sockets.runOn(channel.eventLoop(), () -> reached(relay, channel));
            } else {
                over(relay, problem);
            }
        });
        loop.schedule(this::askNext, NEXT_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** The node is at the other end of the connection. On the loop of the connection. */
    private void reached(int relay, Channel channel) {
        ScheduledFuture<?> limit =
                channel.eventLoop().schedule(() -> channel.close(), EACH_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        FirstFrameHandler frames = new FirstFrameHandler(
                        answer -> {
                            limit.cancel(false);
                            if (dial.answered(channel, channel, answer, Route.through(relay))) {
                                LOG.info(
                                        "reaches {} through {}",
                                        detours.describe(dial.rank()),
                                        detours.describe(relay));
                            } else {
                                channel.close();
                            }
                        },
                        failure -> over(relay, new IOException(failure.reason())))
                .first(() -> dial.greeted(channel));
        channel.closeFuture().addListener(closed -> {
            limit.cancel(false);
            dial.ended(channel);
            over(relay, new IOException("the connection through it has ended"));
        });
        HandOver.to(channel, dialer.credentials().connecting(), frames);
    }

    /** The relay cannot help, or not any more. Any thread. */
    private void over(int relay, @Nullable Throwable why) {
        boolean unused = Sockets.runOn(loop, () -> {
            if (asked.remove(relay) != null && !dial.isOver()) {
                refusals++;
                lastRefusal = why;
                LOG.debug("the relay rank {} does not lead to rank {}", relay, dial.rank(), why);
                askNext();
            }
        });
    }

    /** For people: what has become of it. */
    String outcome() {
        if (!begun) {
            return "";
        }
        return refusals == 0
                ? "; no relay answered"
                : "; " + refusals + " times a relay failed, the last because "
                        + (lastRefusal == null ? "it did not answer" : lastRefusal.getMessage());
    }

    /** No connection is wanted any more. */
    void end() {
        Map<Integer, CompletableFuture<Channel>> left = Map.copyOf(asked);
        asked.clear();
        left.values().forEach(request -> request.cancel(false));
    }
}

package org.robber.transport.reach;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlMessage.DataHello;
import org.robber.transport.control.ControlMessage.Refuse;
import org.robber.transport.reach.KnownRoutes.Route;
import org.robber.transport.reach.KnownRoutes.Way;

/**
 * The attempts to connect to one node: directly; if that takes long, the node is asked to connect back; then relays are asked. The first
 * connection that has been greeted is used. Belongs to an event loop, but for the methods that say otherwise.
 */
final class Dial implements DirectWay.Owner {
    /** A way that takes so long may be closed: the next one is tried, too. */
    static final long PATIENCE_MILLIS = 1000;

    private final EventLoop loop;
    private final Target target;
    private final Duration limit;
    private final CompletableFuture<Channel> connected = new CompletableFuture<>();

    /** The attempt that is ahead: no other one sends its first frame, so the peer has no two connections. */
    private final AtomicReference<@Nullable Object> ahead = new AtomicReference<>();

    private final DirectWay direct;
    private final @Nullable BackWay back;
    private final @Nullable RelayWay relays;
    private final @Nullable KnownRoutes routes;
    private volatile @Nullable IOException lastFailure;

    /**
     * Of a dialer.
     *
     * @param limit how long to try
     * @param mayRelay whether relays may be asked; else only the two nodes take part
     */
    Dial(PeerDialer dialer, EventLoop loop, Target target, Duration limit, boolean mayRelay) {
        this.loop = loop;
        this.target = target;
        this.limit = limit;
        this.direct = dialer.direct(loop, target, dialer.pause(target), this);
        Detours detours = dialer.detours();
        this.routes = detours == null ? null : detours.routes();
        this.back = detours == null ? null : new BackWay(detours, this, loop);
        this.relays = detours == null || !mayRelay ? null : new RelayWay(dialer, detours, this, loop);
    }

    /** Begins, soon. Any thread. A completion from outside, such as a cancellation, ends the attempts. */
    CompletableFuture<Channel> begin() {
        try {
            loop.execute(() -> {
                ScheduledFuture<?> expiry = loop.schedule(this::expire, limit.toMillis(), TimeUnit.MILLISECONDS);
                connected.whenComplete((channel, problem) -> {
                    expiry.cancel(false);
                    if (!loop.isShuttingDown()) {
                        loop.execute(this::end);
                    }
                });
                attempt();
            });
        } catch (RejectedExecutionException e) {
            connected.completeExceptionally(e);
        }
        return connected;
    }

    private void attempt() {
        if (isOver()) {
            return;
        }
        direct.begin();
        Route known = routes == null ? null : routes.to(target.rank());
        boolean wasCalledBack = known != null && known.way() == Way.CALLED_BACK;
        boolean wasRelayed = known != null && known.way() == Way.RELAYED;
        later(this::askBack, wasCalledBack ? 0 : PATIENCE_MILLIS);
        later(this::askRelays, wasRelayed ? 0 : 3 * PATIENCE_MILLIS);
    }

    private void later(Runnable work, long pauseMillis) {
        if (pauseMillis == 0) {
            work.run();
        } else {
            loop.schedule(work, pauseMillis, TimeUnit.MILLISECONDS);
        }
    }

    private void askBack() {
        if (back != null && !isOver()) {
            if (direct.isOpen()) {
                later(this::askBack, PATIENCE_MILLIS);
            } else {
                back.begin();
            }
        }
    }

    private void askRelays() {
        if (relays != null && !isOver()) {
            if (direct.isOpen() || ahead.get() != null) {
                later(this::askRelays, PATIENCE_MILLIS);
            } else {
                relays.begin();
            }
        }
    }

    /** Which node should answer. Any thread. */
    int rank() {
        return target.rank();
    }

    /** Whether there is a connection, or none is wanted any more. Any thread. */
    boolean isOver() {
        return connected.isDone() || loop.isShuttingDown();
    }

    /** As {@link DirectWay.Owner#greeted}. Any thread. */
    @Override
    public @Nullable ControlMessage greeted(Object attempt) {
        boolean wanted = !isOver() && ahead.compareAndSet(null, attempt);
        return wanted ? target.first() : null;
    }

    @Override
    public boolean answered(Object attempt, Channel channel, ControlMessage answer) {
        return answered(attempt, channel, answer, Route.DIRECT);
    }

    /** The node has answered over a connection of any way. Any thread. Returns whether this is the wanted answer. */
    boolean answered(Object attempt, Channel channel, ControlMessage answer, Route route) {
        boolean right = isRight(answer);
        if (!right) {
            ahead.compareAndSet(attempt, null);
        } else if (!connected.complete(channel)) {
            channel.close();
        } else if (routes != null) {
            routes.reached(target.rank(), route);
        }
        return right;
    }

    private boolean isRight(ControlMessage answer) {
        if (target.first() instanceof DataHello ours) {
            return answer instanceof DataHello theirs && theirs.rank() == target.rank() && theirs.seed() == ours.seed();
        }
        if (answer instanceof Refuse refuse) {
            connected.completeExceptionally(new IOException(refuse.reason()));
            return false;
        }
        return answer.equals(target.first());
    }

    @Override
    public void failed(Object attempt, IOException cause) {
        lastFailure = cause;
        ended(attempt);
    }

    /** An attempt has failed: another one may go ahead. Any thread. */
    void ended(Object attempt) {
        ahead.compareAndSet(attempt, null);
    }

    @Override
    public void allFailed(IOException cause, boolean forGood) {
        if (forGood && back == null) {
            connected.completeExceptionally(cause);
        } else {
            // Two networks may use the same addresses, each for itself.
            askBack();
        }
    }

    private void expire() {
        IOException last = lastFailure;
        StringBuilder why = new StringBuilder("no connection to ")
                .append(target.where())
                .append(" after ")
                .append(limit.toMillis() / 1e3)
                .append(" s: ")
                .append(last == null ? "it did not answer" : String.valueOf(last.getMessage()));
        if (back != null) {
            why.append(back.outcome());
        }
        if (relays != null) {
            why.append(relays.outcome());
        }
        connected.completeExceptionally(new IOException(why.toString(), last));
    }

    private void end() {
        direct.end();
        if (back != null) {
            back.end();
        }
        if (relays != null) {
            relays.end();
        }
    }
}

package org.robber.transport.link;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.robber.JobOptions;
import org.robber.transport.control.ControlMessage.DataHello;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.security.Credentials;
import org.robber.transport.sockets.CongestionControl;
import org.robber.transport.sockets.Sockets;

/** Connects to the {@link PeerListener}s of other nodes. Thread-safe. */
public final class PeerDialer {
    private final Sockets sockets;
    private final JobOptions options;
    private final Credentials credentials;
    private final int rank;
    private final long seed;

    /**
     * @param rank this node
     * @param seed the seed of the job, from the roster
     */
    public PeerDialer(Sockets sockets, JobOptions options, Credentials credentials, int rank, long seed) {
        this.sockets = sockets;
        this.options = options;
        this.credentials = credentials;
        this.rank = rank;
        this.seed = seed;
    }

    /** Whether connections are encrypted. */
    public boolean encrypts() {
        return credentials.encrypt();
    }

    /**
     * Connects to a node. Attempts that fail are repeated after growing random pauses until the limit. A node that answers wrongly is not
     * tried again. This method only schedules the work, so it may be called with locks held. A completion from outside, such as a
     * cancellation, ends the attempts.
     *
     * @param limit how long to try
     * @return completes once both sides have said who they are
     */
    public CompletableFuture<Channel> dial(long channelNumber, int peerRank, Member member, Duration limit) {
        CompletableFuture<Channel> connected = new CompletableFuture<>();
        String address = member.dataAddress().isEmpty() ? options.host() : member.dataAddress();
        DialAttempt.Target target = new DialAttempt.Target(
                address, member.dataPort(), peerRank, new DataHello(options.job(), seed, channelNumber, rank));
        EventLoop loop = sockets.group().next();
        RandomGenerator random = new SplittableRandom(seed + rank * 31L * 31 + peerRank * 31L + channelNumber);
        try {
            loop.execute(() -> new Dial(loop, target, limit, new RetryPause(random), connected).begin());
        } catch (RejectedExecutionException e) {
            connected.completeExceptionally(e);
        }
        return connected;
    }

    /** The attempts to connect to one node. Belongs to the event loop. */
    private final class Dial {
        private final EventLoop loop;
        private final DialAttempt.Target target;
        private final Duration limit;
        private final RetryPause pause;
        private final CompletableFuture<Channel> connected;
        private final ScheduledFuture<?> expiry;
        private @Nullable DialAttempt current;
        private @Nullable Throwable lastFailure;

        Dial(
                EventLoop loop,
                DialAttempt.Target target,
                Duration limit,
                RetryPause pause,
                CompletableFuture<Channel> connected) {
            this.loop = loop;
            this.target = target;
            this.limit = limit;
            this.pause = pause;
            this.connected = connected;
            this.expiry = loop.schedule(this::expire, limit.toMillis(), TimeUnit.MILLISECONDS);
        }

        void begin() {
            connected.whenComplete((channel, problem) -> {
                expiry.cancel(false);
                if (problem != null && !loop.isShuttingDown()) {
                    loop.execute(this::abandon);
                }
            });
            attempt();
        }

        private void attempt() {
            if (!connected.isDone()) {
                DialAttempt attempt = new DialAttempt(credentials, target, connected, this::failed);
                current = attempt;
                attempt.begin(new CongestionControl(options.congestion()).with(sockets.bootstrap(loop)));
            }
        }

        private void failed(Throwable cause) {
            lastFailure = cause;
            if (!connected.isDone() && !loop.isShuttingDown()) {
                loop.schedule(this::attempt, pause.nextMillis(), TimeUnit.MILLISECONDS);
            }
        }

        private void expire() {
            String why = lastFailure == null ? "it did not answer" : String.valueOf(lastFailure.getMessage());
            connected.completeExceptionally(new IOException(
                    "no connection to " + target.address() + ":" + target.port() + " after " + limit.toMillis() / 1e3
                            + " s: " + why,
                    lastFailure));
        }

        private void abandon() {
            if (current != null) {
                current.abandon();
            }
        }
    }
}

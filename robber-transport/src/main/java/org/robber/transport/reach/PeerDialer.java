package org.robber.transport.reach;

import com.google.common.collect.ImmutableList;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.robber.JobOptions;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlMessage.DataHello;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.control.ControlMessage.Relay;
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
    private volatile @Nullable Detours detours;

    /**
     * Connects directly, until it is given {@link Detours}.
     *
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

    void take(Detours those) {
        detours = those;
    }

    @Nullable
    Detours detours() {
        return detours;
    }

    /** Whether connections are encrypted. */
    public boolean encrypts() {
        return credentials.encrypt();
    }

    int rank() {
        return rank;
    }

    String job() {
        return options.job();
    }

    long seed() {
        return seed;
    }

    Credentials credentials() {
        return credentials;
    }

    EventLoop loop() {
        return sockets.group().next();
    }

    /**
     * Connects to a node. Attempts that fail are repeated after growing random pauses until the limit. Without {@link Detours}, a node that answers wrongly is not
     * tried again. This method only schedules the work, so it may be called with locks held. A completion from outside, such as a
     * cancellation, ends the attempts.
     *
     * @param limit how long to try
     * @return completes once both sides have said who they are
     */
    public CompletableFuture<Channel> dial(long channelNumber, int peerRank, Member member, Duration limit) {
        DataHello hello = new DataHello(options.job(), seed, channelNumber, rank, peerRank);
        return new Dial(this, loop(), target(peerRank, member, hello), limit, /* mayRelay= */ true).begin();
    }

    /**
     * Asks a relay for a stream to a node.
     *
     * @return completes once the node is at the other end, with a connection over which nothing was greeted yet
     */
    CompletableFuture<Channel> dialRelay(EventLoop loop, int relay, Member member, int peerRank, Duration limit) {
        Relay request = new Relay(options.job(), seed, rank, peerRank);
        return new Dial(this, loop, target(relay, member, request), limit, /* mayRelay= */ false).begin();
    }

    /** As a relay, reaches the node that is meant. */
    CompletableFuture<Channel> dialForRelay(Relay request, Member member, Duration limit) {
        return new Dial(this, loop(), target(request.to(), member, request), limit, /* mayRelay= */ false).begin();
    }

    Target target(int peerRank, Member member, ControlMessage first) {
        ImmutableList<String> addresses = member.dataAddresses().isEmpty()
                ? ImmutableList.of(options.host())
                : member.dataAddresses().stream()
                        .map(address -> address.isEmpty() ? options.host() : address)
                        .collect(ImmutableList.toImmutableList());
        return new Target(peerRank, addresses, member.dataPort(), first);
    }

    /** The pauses between attempts: nodes that start together do not try together. */
    RetryPause pause(Target target) {
        // not the hash of the target: what a record brings along is built by method handles when it first runs, which
        // takes 7 ms
        return new RetryPause(new SplittableRandom(seed + rank * 31L * 31 + target.rank() * 31L + target.port()));
    }

    DirectWay direct(EventLoop loop, Target target, @Nullable RetryPause pause, DirectWay.Owner owner) {
        CongestionControl congestion = new CongestionControl(options.congestion());
        return new DirectWay(loop, () -> congestion.with(sockets.bootstrap(loop)), credentials, target, pause, owner);
    }
}

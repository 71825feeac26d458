package org.robber.transport.rankzero;

import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.robber.ClusterBy;
import org.robber.transport.control.ControlLink;
import org.robber.transport.control.ControlMessage.MeasureRoundTrip;
import org.robber.transport.control.ControlMessage.RoundTrip;
import org.robber.transport.sockets.Hosts;
import org.robber.transport.sockets.Sockets;

/**
 * Searches for the clusters of nodes that wait at rank 0. There is one at a time, and a new one when a node has left or has come in the place of another. Belongs to
 * one event loop.
 */
final class ClusterSearches implements ClusterSearch.Network {
    private final ClusterBy by;
    private final EventLoop loop;
    private final RankTable rankTable;
    private final Function<InetSocketAddress, CompletableFuture<Long>> roundTrips;
    private @Nullable ClusterSearch current;
    /** Rounds of searches that came to nothing. */
    private int abandonedRounds;

    /** @param roundTrips measures round-trip times from rank 0 */
    ClusterSearches(
            ClusterBy by,
            EventLoop loop,
            RankTable rankTable,
            Function<InetSocketAddress, CompletableFuture<Long>> roundTrips) {
        this.by = by;
        this.loop = loop;
        this.rankTable = rankTable;
        this.roundTrips = roundTrips;
    }

    /** Whether a search has begun and was not abandoned. */
    boolean hasBegun() {
        return current != null;
    }

    /**
     * Begins to search.
     *
     * @throws org.robber.RobberException if the nodes do not say what is needed
     */
    void begin(Whereabouts nodes, Consumer<ClusterSearch.Found> found) {
        ClusterSearch begun = new ClusterSearch(by, nodes, abandonedRounds, this, found);
        current = begun;
        begun.start();
    }

    /** A node answers a question. */
    void measured(ControlLink link, RoundTrip answer) {
        Integer rank = rankTable.links().get(link);
        if (rank != null) {
            measured(rank.intValue(), answer);
        }
    }

    private void measured(int rank, RoundTrip answer) {
        if (current != null) {
            current.measured(rank, answer);
        }
    }

    /** Somebody has left, or has come in the place of another one: all must be there again. */
    void abandon() {
        if (current != null) {
            abandonedRounds = current.abandon();
            current = null;
        }
    }

    /** Takes what is known by now. */
    void conclude() {
        if (current != null) {
            current.conclude();
        }
    }

    @Override
    public void ask(int rank, MeasureRoundTrip question) {
        if (rank != 0) {
            rankTable.linkOf(rank).ifPresent(link -> link.send(question));
            return;
        }
        InetAddress target = Hosts.numeric(question.address(), InetAddress.getLoopbackAddress());
        var unused = roundTrips
                .apply(new InetSocketAddress(target, question.port()))
                .thenAccept(micros -> Sockets.runOn(loop, () -> measured(0, new RoundTrip(question.round(), micros))));
    }

    @Override
    public void later(long seconds, Runnable work) {
        var unused = loop.schedule(work, seconds, TimeUnit.SECONDS);
    }
}

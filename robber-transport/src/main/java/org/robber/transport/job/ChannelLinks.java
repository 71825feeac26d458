package org.robber.transport.job;

import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.topology.Overlay;
import org.robber.transport.link.PeerLink;

/** Makes the connections of one channel: to every peer of the overlay, the higher rank connecting to the lower. */
final class ChannelLinks {
    private final JobMeans means;
    private final int channelNumber;
    private final PeerLink.Listener listener;
    private final TreeSet<Integer> missing = new TreeSet<>();
    private final Map<Integer, PeerLink> links = new LinkedHashMap<>();
    private final CompletableFuture<Map<Integer, PeerLink>> all = new CompletableFuture<>();

    ChannelLinks(JobMeans means, int channelNumber, PeerLink.Listener listener) {
        this.means = means;
        this.channelNumber = channelNumber;
        this.listener = listener;
    }

    /** Connects; completes with a connection for each peer, or fails naming those that could not be had in time. */
    CompletableFuture<Map<Integer, PeerLink>> connect(Overlay overlay) {
        int rank = means.rank();
        synchronized (this) {
            for (int peer : overlay.peers(rank)) {
                missing.add(peer);
            }
            if (missing.isEmpty()) {
                all.complete(Map.of());
                return all;
            }
        }
        Consumer<RobberException> failureListener = all::completeExceptionally;
        means.assembly().onFailure(failureListener);
        List<CompletableFuture<Channel>> calls = new ArrayList<>();
        means.door().expect(channelNumber, this::connected);
        for (int peer : overlay.peers(rank)) {
            if (peer < rank) {
                CompletableFuture<Channel> call = means.door().connect(channelNumber, peer, means.member(peer));
                calls.add(call);
                call.whenComplete((channel, problem) -> {
                    if (channel != null) {
                        connected(peer, channel);
                    } else {
                        all.completeExceptionally(means.failure(
                                Reason.NETWORK, peer, "connect", "it cannot be reached: " + problem.getMessage()));
                    }
                });
            }
        }
        var timeout = means.sockets()
                .group()
                .schedule(this::timedOut, means.connectTimeout().toMillis(), TimeUnit.MILLISECONDS);
        return all.whenComplete((done, problem) -> {
            timeout.cancel(false);
            calls.forEach(call -> call.cancel(false));
            means.assembly().forget(failureListener);
        });
    }

    private void connected(int peer, Channel channel) {
        boolean last;
        PeerLink link = new PeerLink(peer, channel, means.nearness().distance(means.rank(), peer), listener);
        synchronized (this) {
            if (!missing.remove(peer)) {
                channel.close();
                return;
            }
            links.put(peer, link);
            last = missing.isEmpty();
        }
        channel.eventLoop().execute(() -> {
            link.open();
            if (last) {
                all.complete(snapshot());
            }
        });
    }

    private synchronized Map<Integer, PeerLink> snapshot() {
        return new LinkedHashMap<>(links);
    }

    private void timedOut() {
        List<Integer> late;
        synchronized (this) {
            late = new ArrayList<>(missing);
        }
        StringBuilder names = new StringBuilder();
        for (int peer : late) {
            names.append(names.isEmpty() ? "" : ", ").append(means.describe(peer));
        }
        all.completeExceptionally(new RobberException(
                Reason.NETWORK,
                late,
                "connect",
                means.describe(means.rank()) + " has no connection to " + names + " after "
                        + means.connectTimeout().toSeconds() + " s: is there a firewall between them?"));
    }
}

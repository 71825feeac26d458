package org.robber.transport.reach;

import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Connections from peers for channels that this node has not opened yet, at most one for each channel and rank. A connection that ends
 * is forgotten, and a newer one takes the place of an older one: a peer connects again only after it has lost the one before.
 * Thread-safe.
 */
final class EarlyConnections {
    /** Nodes open channels together, so an honest peer is ahead by a few channels at most. */
    static final int MAX_PER_RANK = 16;

    private final Map<Long, Map<Integer, Channel>> byChannel = new HashMap<>();

    /** Keeps the connection; returns null, or the reason why it must be refused. */
    synchronized @Nullable String keep(long channelNumber, int rank, Channel channel) {
        Map<Integer, Channel> byRank = byChannel.getOrDefault(channelNumber, Map.of());
        long others = byChannel.values().stream()
                .filter(each -> each.containsKey(rank))
                .count();
        if (!byRank.containsKey(rank) && others >= MAX_PER_RANK) {
            return "it has connected for " + others + " channels that are not open here";
        }
        Channel older = byChannel
                .computeIfAbsent(channelNumber, first -> new HashMap<>())
                .put(rank, channel);
        if (older != null) {
            older.close();
        }
        channel.closeFuture().addListener(closed -> remove(channelNumber, rank, channel));
        return null;
    }

    private synchronized void remove(long channelNumber, int rank, Channel channel) {
        Map<Integer, Channel> byRank = byChannel.get(channelNumber);
        if (byRank != null && byRank.remove(rank, channel) && byRank.isEmpty()) {
            byChannel.remove(channelNumber);
        }
    }

    /** The connections for this channel by rank; they are no longer kept here. */
    synchronized Map<Integer, Channel> take(long channelNumber) {
        Map<Integer, Channel> taken = byChannel.remove(channelNumber);
        return taken == null ? Map.of() : taken;
    }

    /** All connections; they are no longer kept here. */
    synchronized List<Channel> takeAll() {
        List<Channel> all = new ArrayList<>();
        byChannel.values().forEach(byRank -> all.addAll(byRank.values()));
        byChannel.clear();
        return all;
    }
}

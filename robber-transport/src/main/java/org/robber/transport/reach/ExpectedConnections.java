package org.robber.transport.reach;

import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import com.google.common.collect.TreeRangeSet;
import io.netty.channel.Channel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Who takes the connections from peers, by the channel of the job that they are for. Those that come too early wait. Thread-safe. */
final class ExpectedConnections implements AutoCloseable {
    /** Nodes open channels together, so an honest peer is ahead by a few channels at most. */
    static final int MAX_EARLY_PER_RANK = 16;

    private final Map<Long, BiConsumer<Integer, Channel>> takers = new HashMap<>();

    /**
     * Those that came too early, at most one for each channel and rank. One that ends is forgotten. A newer one takes the place of an older one, since a
     * peer connects again only after it has lost the one before.
     */
    private final Map<Long, Map<Integer, Channel>> early = new HashMap<>();
    /** Numbers of channels that are closed: few ranges, since those that an application opens have numbers in a row. */
    private final RangeSet<Long> forgotten = TreeRangeSet.create();

    private boolean closed;

    /**
     * Passes connections for this channel to the taker, those that came before at once.
     *
     * @param channelNumber of a channel that was not opened before
     */
    void expect(long channelNumber, BiConsumer<Integer, Channel> taker) {
        @Nullable Map<Integer, Channel> waiting;
        synchronized (this) {
            takers.put(channelNumber, taker);
            waiting = early.remove(channelNumber);
        }
        if (waiting != null) {
            waiting.forEach(taker);
        }
    }

    /** The channel is closed: connections for it are refused from now on. */
    synchronized void forget(long channelNumber) {
        takers.remove(channelNumber);
        forgotten.add(Range.closedOpen(channelNumber, channelNumber + 1));
    }

    /** A peer has connected for this channel; returns null, or the reason why its connection must be refused. */
    @Nullable
    String arrived(long channelNumber, int rank, Channel channel) {
        BiConsumer<Integer, Channel> taker;
        synchronized (this) {
            taker = takers.get(channelNumber);
            if (taker == null) {
                return closed || forgotten.contains(channelNumber)
                        ? "channel " + channelNumber + " is closed"
                        : keep(channelNumber, rank, channel);
            }
        }
        taker.accept(rank, channel);
        return null;
    }

    private @Nullable String keep(long channelNumber, int rank, Channel channel) {
        Map<Integer, Channel> byRank = early.getOrDefault(channelNumber, Map.of());
        long others =
                early.values().stream().filter(each -> each.containsKey(rank)).count();
        if (!byRank.containsKey(rank) && others >= MAX_EARLY_PER_RANK) {
            return "it has connected for " + others + " channels that are not open here";
        }
        Channel older =
                early.computeIfAbsent(channelNumber, first -> new HashMap<>()).put(rank, channel);
        if (older != null) {
            older.close();
        }
        channel.closeFuture().addListener(ended -> drop(channelNumber, rank, channel));
        return null;
    }

    private synchronized void drop(long channelNumber, int rank, Channel channel) {
        Map<Integer, Channel> byRank = early.get(channelNumber);
        if (byRank != null && byRank.remove(rank, channel) && byRank.isEmpty()) {
            early.remove(channelNumber);
        }
    }

    /** Closes the connections that no channel has taken. */
    @Override
    public void close() {
        List<Channel> left;
        synchronized (this) {
            closed = true;
            left = early.values().stream()
                    .flatMap(byRank -> byRank.values().stream())
                    .toList();
            early.clear();
        }
        left.forEach(Channel::close);
    }
}

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
    private final Map<Long, BiConsumer<Integer, Channel>> takers = new HashMap<>();
    private final EarlyConnections early = new EarlyConnections();
    /** Numbers of channels that are closed: few ranges, since those that an application opens have numbers in a row. */
    private final RangeSet<Long> forgotten = TreeRangeSet.create();

    private boolean closed;

    /**
     * Passes connections for this channel to the taker, those that came before at once.
     *
     * @param channelNumber of a channel that was not opened before
     */
    void expect(long channelNumber, BiConsumer<Integer, Channel> taker) {
        Map<Integer, Channel> waiting;
        synchronized (this) {
            takers.put(channelNumber, taker);
            waiting = early.take(channelNumber);
        }
        waiting.forEach(taker);
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
                        : early.keep(channelNumber, rank, channel);
            }
        }
        taker.accept(rank, channel);
        return null;
    }

    /** Closes the connections that no channel has taken. */
    @Override
    public void close() {
        List<Channel> left;
        synchronized (this) {
            closed = true;
            left = early.takeAll();
        }
        left.forEach(Channel::close);
    }
}

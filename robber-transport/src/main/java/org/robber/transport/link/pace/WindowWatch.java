package org.robber.transport.link.pace;

import io.netty.channel.Channel;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.robber.transport.sockets.TcpBuffers;
import org.robber.transport.sockets.TcpInfo;

/**
 * Looks whether its buffers hold a connection back: whether it has about as much on the way as they allow. Then as many connections as
 * there are, are asked for. Belongs to the connection's event loop.
 */
public final class WindowWatch {
    /** Further connections at most: beyond it, buffers should be larger ({@code robber-cli doctor}). */
    public static final int MOST = 7;

    /** Of what the buffers allow: the kernel's records of packets take some of it. */
    private static final double FULL = 0.6;

    private static final long PERIOD_MILLIS = 1000;

    /** A new connection needs so many looks until it takes its part. */
    private static final int LOOKS_OF_REST = 2;

    private final Channel channel;
    private final long allowedBytes;
    private final IntConsumer more;
    private @Nullable TcpInfo before;
    private long beforeNanos;
    private int rest;
    private int made;

    /**
     * @param allowedBytes that a connection may have on the way
     * @param more asked for a further connection, by its number from 1
     */
    WindowWatch(Channel channel, long allowedBytes, IntConsumer more) {
        this.channel = channel;
        this.allowedBytes = allowedBytes;
        this.more = more;
    }

    /** Watches until the connection ends or there are enough; not at all if this machine does not tell what its buffers allow. */
    public static void start(Channel channel, IntConsumer more) {
        long allowed = TcpBuffers.mostOnTheWay();
        if (allowed > 0) {
            new WindowWatch(channel, allowed, more).look();
        }
    }

    private void look() {
        TcpInfo now = TcpInfo.of(channel);
        if (now == null) {
            return;
        }
        saw(now, System.nanoTime());
        if (made < MOST) {
            var unused = channel.eventLoop().schedule(this::look, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Takes in what the kernel says at a moment. */
    void saw(TcpInfo now, long nowNanos) {
        TcpInfo last = before;
        if (rest > 0) {
            rest--;
        } else if (last != null && onTheWay(last, now, nowNanos - beforeNanos) > FULL * allowedBytes) {
            rest = LOOKS_OF_REST;
            for (int wanted = Math.min(MOST, 2 * made + 1); made < wanted; ) {
                made++;
                more.accept(made);
            }
        }
        before = now;
        beforeNanos = nowNanos;
    }

    /** In the direction in which more goes, without what waits in queues of the line. */
    private static double onTheWay(TcpInfo last, TcpInfo now, long nanos) {
        long bytes = Math.max(
                now.acknowledgedBytes() - last.acknowledgedBytes(), now.receivedBytes() - last.receivedBytes());
        return bytes * 1e3 / Math.max(1, nanos) * now.leastRoundTripMicros();
    }
}

package org.robber.transport.link.pace;

import io.netty.channel.Channel;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.robber.transport.sockets.TcpBuffers;
import org.robber.transport.sockets.TcpInfo;

/**
 * Looks whether its buffers hold a connection back: whether it has about as much on the way as they allow. Then further connections are
 * asked for. On a long line that few connections share, some are asked for at once, since each begins with little on its way. Belongs to the
 * connection's event loop.
 */
public final class WindowWatch {
    /** Further connections: where these do not suffice, buffers should be larger ({@code robber-cli doctor}). */
    public static final int MOST = 7;

    /** Of what the buffers allow. A connection that they hold back has 60 to 72 % on the way, since the kernel's records of packets take the rest. */
    private static final double FULL = 0.5;

    /** A line is long if the buffers of one connection do not hold what is on its way at 1 Gbit/s. */
    private static final double BYTES_PER_MICRO = 125;

    private final Channel channel;
    private final long allowedBytes;
    private final IntConsumer more;
    private int asked;
    private long lookedAtBytes;
    private @Nullable TcpInfo before;
    private long beforeNanos;

    /**
     * @param allowedBytes that a connection may have on the way
     * @param more asked for each further connection once, by its number from 1
     */
    WindowWatch(Channel channel, long allowedBytes, IntConsumer more) {
        this.channel = channel;
        this.allowedBytes = allowedBytes;
        this.more = more;
    }

    /** Of a connection that has moved nothing yet; null if this machine does not tell what its buffers allow. */
    public static @Nullable WindowWatch of(Channel channel, IntConsumer more) {
        long allowed = TcpBuffers.mostOnTheWay();
        return allowed > 0 ? new WindowWatch(channel, allowed, more) : null;
    }

    /**
     * Asks for further connections at once if the line is long.
     *
     * @param connections that share the line with this one, without further ones; this one included
     */
    public void share(int connections) {
        TcpInfo now = TcpInfo.of(channel);
        if (now != null) {
            share(connections, now);
        }
    }

    void share(int connections, TcpInfo now) {
        if (now.leastRoundTripMicros() * BYTES_PER_MICRO > allowedBytes) {
            ask((MOST + 1) / connections - 1);
        }
    }

    /** Asks for so many further connections in all, unless it has asked for more. */
    private void ask(int further) {
        while (asked < further) {
            more.accept(++asked);
        }
    }

    /**
     * The connection has sent and received so many bytes in all. It is looked at each time it has moved as many as may be on the way. That takes about two
     * round trips at the rate that is looked for, which smooths the bursts of acknowledgements.
     */
    public void moved(long bytes) {
        if (asked == MOST || bytes - lookedAtBytes < allowedBytes) {
            return;
        }
        lookedAtBytes = bytes;
        TcpInfo now = TcpInfo.of(channel);
        if (now != null) {
            saw(now, System.nanoTime());
        }
    }

    /** Takes in what the kernel says at a moment. */
    void saw(TcpInfo now, long nowNanos) {
        TcpInfo last = before;
        if (last != null && onTheWay(last, now, nowNanos - beforeNanos) > FULL * allowedBytes) {
            ask(MOST);
        }
        before = now;
        beforeNanos = nowNanos;
    }

    /** In the direction in which more goes, without what waits in queues of the line. */
    private static double onTheWay(TcpInfo last, TcpInfo now, long nanos) {
        long bytes = Math.max(
                now.acknowledgedBytes() - last.acknowledgedBytes(), now.receivedBytes() - last.receivedBytes());
        double roundTrips = nanos / (double) TimeUnit.MICROSECONDS.toNanos(Math.max(1, now.leastRoundTripMicros()));
        return bytes / roundTrips;
    }
}

package org.robber.transport.link.pace;

import com.google.common.primitives.Longs;
import io.netty.channel.Channel;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.robber.transport.sockets.TcpBuffers;
import org.robber.transport.sockets.TcpInfo;

/**
 * Looks whether its buffers hold a connection back: whether it has about as much on the way as they allow. Then further connections are
 * asked for, once. Belongs to the connection's event loop.
 */
public final class WindowWatch {
    /** Further connections: where these do not suffice, buffers should be larger ({@code robber-cli doctor}). */
    public static final int MOST = 7;

    /** Of what the buffers allow. A connection that they hold back has 60 to 72 % on the way, since the kernel's records of packets take the rest. */
    private static final double FULL = 0.5;

    /** A connection with less on the way is far from held back, so it need not be looked at often. */
    private static final double EMPTY = 0.1;

    /** Acknowledgements come in bursts of up to a round trip's bytes. */
    private static final int ROUND_TRIPS_PER_LOOK = 4;

    private static final long LEAST_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long GREATEST_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Channel channel;
    private final long allowedBytes;
    private final IntConsumer more;
    private @Nullable TcpInfo before;
    private long beforeNanos;

    /**
     * @param allowedBytes that a connection may have on the way
     * @param more asked for each further connection, by its number from 1
     */
    WindowWatch(Channel channel, long allowedBytes, IntConsumer more) {
        this.channel = channel;
        this.allowedBytes = allowedBytes;
        this.more = more;
    }

    /** Watches until the connection ends or is held back; not at all if this machine does not tell what its buffers allow. */
    public static void start(Channel channel, IntConsumer more) {
        long allowed = TcpBuffers.mostOnTheWay();
        if (allowed > 0) {
            new WindowWatch(channel, allowed, more).look();
        }
    }

    private void look() {
        TcpInfo now = TcpInfo.of(channel);
        long periodNanos = now == null ? 0 : saw(now, System.nanoTime());
        if (periodNanos > 0) {
            var unused = channel.eventLoop().schedule(this::look, periodNanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Takes in what the kernel says at a moment. Returns the time until the next look, or 0 if further connections were asked for. */
    long saw(TcpInfo now, long nowNanos) {
        TcpInfo last = before;
        double share = last == null ? 0 : onTheWay(last, now, nowNanos - beforeNanos) / allowedBytes;
        before = now;
        beforeNanos = nowNanos;
        if (share > FULL) {
            for (int number = 1; number <= MOST; number++) {
                more.accept(number);
            }
            return 0;
        }
        if (share < EMPTY) {
            return GREATEST_PERIOD_NANOS;
        }
        long roundTripsNanos = TimeUnit.MICROSECONDS.toNanos(ROUND_TRIPS_PER_LOOK * now.leastRoundTripMicros());
        return Longs.constrainToRange(roundTripsNanos, LEAST_PERIOD_NANOS, GREATEST_PERIOD_NANOS);
    }

    /** In the direction in which more goes, without what waits in queues of the line. */
    private static double onTheWay(TcpInfo last, TcpInfo now, long nanos) {
        long bytes = Math.max(
                now.acknowledgedBytes() - last.acknowledgedBytes(), now.receivedBytes() - last.receivedBytes());
        return bytes * 1e3 / Math.max(1, nanos) * now.leastRoundTripMicros();
    }
}

package org.robber.transport.link.pace;

import io.netty.channel.Channel;
import io.netty.channel.unix.IntegerUnixChannelOption;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.robber.transport.sockets.TcpInfo;

/**
 * Lets a connection yield to other traffic: looks at its round trip, and tells the kernel how fast it may send ({@code
 * SO_MAX_PACING_RATE}, see socket(7)). The kernel spaces the packets evenly, so they make no queue of their own. Belongs to the connection's
 * event loop.
 */
public final class YieldingPace {
    private static final int SOL_SOCKET = 1;
    private static final int SO_MAX_PACING_RATE = 47;
    private static final IntegerUnixChannelOption PACING_RATE =
            new IntegerUnixChannelOption("SO_MAX_PACING_RATE", SOL_SOCKET, SO_MAX_PACING_RATE);

    /** The kernel reads 32 bits without a sign; all ones would be no limit. */
    private static final long MOST_RATE = 0xFFFF_FFFEL;

    /** The rule goes by round trips; looking more often costs more than it tells. */
    private static final long LEAST_PERIOD_MICROS = 10_000;

    private final Channel channel;
    private final DelayRule rule = new DelayRule();

    private YieldingPace(Channel channel) {
        this.channel = channel;
    }

    /** Lets a connection yield until it ends. To be called on its event loop. */
    public static void begin(Channel channel) {
        new YieldingPace(channel).follow();
    }

    /** Looks once a round trip. */
    private void follow() {
        @Nullable TcpInfo info = TcpInfo.of(channel);
        if (info != null) {
            long rate = rule.bytesPerSecond(info, System.nanoTime());
            if (rate > 0) {
                boolean unused = channel.config().setOption(PACING_RATE, (int) Math.min(rate, MOST_RATE));
            }
            var unused = channel.eventLoop()
                    .schedule(
                            this::follow, Math.max(LEAST_PERIOD_MICROS, info.roundTripMicros()), TimeUnit.MICROSECONDS);
        }
    }
}

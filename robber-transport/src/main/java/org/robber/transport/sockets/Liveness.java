package org.robber.transport.sockets;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import java.time.Duration;

/** Lets the kernel find out that the other side of a connection is gone without a word, as after a power failure. */
public final class Liveness {
    /** Firewalls forget connections that are silent for minutes, so an idle one is probed more often, whatever the limit is. */
    private static final int MOST_IDLE_SECONDS = 15;

    private static final int MOST_PROBE_SECONDS = 5;
    private static final int PROBES = 3;

    private Liveness() {}

    /**
     * The connection ends when nothing was heard from the other system for so long, or when the other side has taken nothing of what waits for it. Where there is no
     * epoll, the limits of the system hold.
     *
     * @param silence positive; the kernel counts idle connections in seconds
     */
    public static void watch(Channel channel, Duration silence) {
        keepAlive(channel, silence);
        if (channel instanceof EpollSocketChannel epoll) {
            // The kernel ends an idle connection by this limit, too, and not by the number of probes.
            epoll.config().setOption(EpollChannelOption.TCP_USER_TIMEOUT, (int)
                    Math.max(1, Math.min(Integer.MAX_VALUE, silence.toMillis())));
        }
    }

    /**
     * The connection ends when nothing was heard from the other system for so long. The other side may take as long as it likes to read. Where there is no epoll, the
     * limits of the system hold.
     *
     * @param silence positive; the kernel counts idle connections in seconds
     */
    public static void watchSystem(Channel channel, Duration silence) {
        keepAlive(channel, silence);
        if (channel instanceof EpollSocketChannel epoll) {
            AckWatch.start(epoll, silence);
        }
    }

    private static void keepAlive(Channel channel, Duration silence) {
        channel.config().setOption(ChannelOption.SO_KEEPALIVE, true);
        if (channel instanceof EpollSocketChannel epoll) {
            long seconds = silence.toSeconds();
            epoll.config().setOption(EpollChannelOption.TCP_KEEPIDLE, (int)
                    Math.max(1, Math.min(MOST_IDLE_SECONDS, seconds / 2)));
            epoll.config().setOption(EpollChannelOption.TCP_KEEPINTVL, (int)
                    Math.max(1, Math.min(MOST_PROBE_SECONDS, seconds / 6)));
            epoll.config().setOption(EpollChannelOption.TCP_KEEPCNT, PROBES);
        }
    }
}

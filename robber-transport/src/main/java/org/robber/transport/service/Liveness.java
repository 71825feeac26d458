package org.robber.transport.service;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;

/** Lets the kernel find out that the other side of an idle connection is gone without a word, as after a power failure. */
final class Liveness {
    private static final int IDLE_SECONDS = 15;
    private static final int PROBE_SECONDS = 5;
    private static final int PROBES = 3;
    private static final int UNACKNOWLEDGED_MILLIS = 30_000;

    private Liveness() {}

    /** The connection ends when nothing was heard from the other system for 30 s. Where there is no epoll, the limits of the system hold. */
    static void watch(Channel channel) {
        channel.config().setOption(ChannelOption.SO_KEEPALIVE, true);
        if (channel instanceof EpollSocketChannel epoll) {
            epoll.config().setOption(EpollChannelOption.TCP_KEEPIDLE, IDLE_SECONDS);
            epoll.config().setOption(EpollChannelOption.TCP_KEEPINTVL, PROBE_SECONDS);
            epoll.config().setOption(EpollChannelOption.TCP_KEEPCNT, PROBES);
            epoll.config().setOption(EpollChannelOption.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MILLIS);
        }
    }
}

package org.robber.transport.sockets;

import io.netty.channel.ChannelException;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a connection when the other system acknowledges nothing of what is sent to it. A program there that does not read is no reason: its system
 * still answers when it is asked for room. The kernel has such a limit, too ({@code TCP_USER_TIMEOUT}), and takes a program that does not read for a system
 * that is gone.
 */
final class AckWatch {
    private static final Logger LOG = LoggerFactory.getLogger(AckWatch.class);
    private static final int LOOKS_IN_LIMIT = 4;
    private static final int ENOUGH = 2;

    private final long limitMillis;
    private int unansweredBefore;

    AckWatch(Duration limit) {
        limitMillis = limit.toMillis();
    }

    /** Looks at the connection from now on until it is closed, four times in the limit; the event loop of the connection does it. */
    static void start(EpollSocketChannel channel, Duration limit) {
        new AckWatch(limit).look(channel);
    }

    private void look(EpollSocketChannel channel) {
        if (!channel.isOpen()) {
            return;
        }
        try {
            EpollTcpInfo info = channel.tcpInfo();
            if (isGone(info.lastAckRecv(), info.retransmits() + info.probes())) {
                LOG.debug("{} has acknowledged nothing for {} ms", channel.remoteAddress(), info.lastAckRecv());
                channel.pipeline()
                        .fireExceptionCaught(
                                new IOException("its system has acknowledged nothing for " + limitMillis + " ms"));
                channel.close();
                return;
            }
        } catch (ChannelException e) {
            // It was closed just now.
            LOG.debug("the state of the connection to {} is not known", channel.remoteAddress(), e);
            return;
        }
        var unused = channel.eventLoop()
                .schedule(() -> look(channel), Math.max(1, limitMillis / LOOKS_IN_LIMIT), TimeUnit.MILLISECONDS);
    }

    /**
     * Whether the other system is gone. The kernel asks ever more rarely for room, so a long time without an acknowledgement alone says nothing. Two questions
     * must have been without an answer for two looks: systems leave out an answer that follows soon on the one before.
     *
     * @param lastAckMillis since the last acknowledgement
     * @param unanswered packets sent again, and questions for room, since then
     */
    boolean isGone(long lastAckMillis, int unanswered) {
        boolean gone = unanswered >= ENOUGH && unansweredBefore >= ENOUGH && lastAckMillis >= limitMillis;
        unansweredBefore = unanswered;
        return gone;
    }
}

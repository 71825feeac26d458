package org.robber.transport.sockets;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.RawUnixChannelOption;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * What Linux knows of a connection: the socket option {@code TCP_INFO}, see tcp(7) and {@code struct tcp_info} in linux/tcp.h.
 *
 * @param segmentBytes of a packet, without its heads
 * @param roundTripMicros smoothed
 * @param leastRoundTripMicros the least of the last minutes; 0 if there was none
 * @param retransmissions packets sent again so far
 * @param acknowledgedBytes so far
 * @param receivedBytes so far
 */
public record TcpInfo(
        int segmentBytes,
        long roundTripMicros,
        long leastRoundTripMicros,
        long retransmissions,
        long acknowledgedBytes,
        long receivedBytes) {

    private static final int IPPROTO_TCP = 6;
    private static final int TCP_INFO = 11;

    private static final int SEGMENT_AT = 16;
    private static final int ROUND_TRIP_AT = 68;
    private static final int RETRANSMISSIONS_AT = 100;
    private static final int ACKNOWLEDGED_AT = 120;
    private static final int RECEIVED_AT = 128;
    private static final int LEAST_ROUND_TRIP_AT = 148;
    private static final int BYTES = LEAST_ROUND_TRIP_AT + Integer.BYTES;

    private static final RawUnixChannelOption OPTION =
            new RawUnixChannelOption("TCP_INFO", IPPROTO_TCP, TCP_INFO, BYTES);

    /** Of this connection; null if the platform does not tell, or the connection has ended. */
    public static @Nullable TcpInfo of(Channel channel) {
        if (!(channel instanceof EpollSocketChannel) || !channel.isActive()) {
            return null;
        }
        @Nullable ByteBuffer raw;
        try {
            raw = channel.config().getOption(OPTION);
        } catch (ChannelException e) {
            // It has ended at this moment.
            return null;
        }
        if (raw == null) {
            return null;
        }
        ByteBuffer info = raw.duplicate().clear().order(ByteOrder.nativeOrder());
        return new TcpInfo(
                info.getInt(SEGMENT_AT),
                Integer.toUnsignedLong(info.getInt(ROUND_TRIP_AT)),
                // The kernel says -1 before the first.
                Math.max(0, info.getInt(LEAST_ROUND_TRIP_AT)),
                Integer.toUnsignedLong(info.getInt(RETRANSMISSIONS_AT)),
                info.getLong(ACKNOWLEDGED_AT),
                info.getLong(RECEIVED_AT));
    }
}

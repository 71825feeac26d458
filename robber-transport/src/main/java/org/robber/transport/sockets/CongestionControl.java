package org.robber.transport.sockets;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.unix.RawUnixChannelOption;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

/**
 * The congestion control of TCP connections, such as {@code bbr}: the socket option {@code TCP_CONGESTION} of Linux, see tcp(7). A connection that is accepted
 * has that of the socket that listens.
 *
 * @param name as the kernel knows it; empty for the system's own choice
 */
public record CongestionControl(String name) {
    /** {@code TCP_CA_NAME_MAX} of Linux, with the zero at the end. */
    private static final int NAME_BYTES = 16;

    private static final int IPPROTO_TCP = 6;
    private static final int TCP_CONGESTION = 13;
    private static final RawUnixChannelOption OPTION =
            new RawUnixChannelOption("TCP_CONGESTION", IPPROTO_TCP, TCP_CONGESTION, NAME_BYTES);

    /** For sockets that connect. */
    public Bootstrap with(Bootstrap bootstrap) {
        return name.isEmpty() ? bootstrap : bootstrap.option(OPTION, value());
    }

    /** For sockets that listen. */
    public ServerBootstrap with(ServerBootstrap bootstrap) {
        return name.isEmpty() ? bootstrap : bootstrap.option(OPTION, value());
    }

    private ByteBuffer value() {
        byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(NAME_BYTES)
                .put(bytes, 0, Math.min(bytes.length, NAME_BYTES - 1))
                .rewind();
    }

    /**
     * Looks whether sockets of this machine can have it.
     *
     * @param rank of this node
     * @throws RobberException with {@code USAGE} if not
     */
    public void check(Sockets sockets, int rank) {
        if (!name.isEmpty() && !name.equals(tried(sockets))) {
            throw new RobberException(
                    Reason.USAGE,
                    List.of(rank),
                    "connect",
                    "rank " + rank + " cannot use the congestion control '" + name
                            + "': the kernel there does not have it, or does not let this user choose it; see"
                            + " /proc/sys/net/ipv4/tcp_allowed_congestion_control");
        }
    }

    /** What a socket with this option has; empty if there is no such socket. */
    private String tried(Sockets sockets) {
        ChannelFuture bound = sockets.serverBootstrap()
                .childHandler(new ChannelInboundHandlerAdapter())
                .bind(InetAddress.getLoopbackAddress(), 0)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            return "";
        }
        Channel channel = bound.channel();
        try {
            // given to the bootstrap, it would be logged that the socket does not take it
            boolean unused = channel.config().setOption(OPTION, value());
            return of(channel);
        } catch (ChannelException e) {
            return "";
        } finally {
            channel.close().awaitUninterruptibly();
        }
    }

    /** The name of that of a socket; empty if it is not known. */
    static String of(Channel channel) {
        @Nullable ByteBuffer value = channel.config().getOption(OPTION);
        return value == null
                ? ""
                : StandardCharsets.US_ASCII
                        .decode(value.duplicate().clear())
                        .toString()
                        .split("\0", 2)[0];
    }
}

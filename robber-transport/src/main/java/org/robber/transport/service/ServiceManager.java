package org.robber.transport.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.robber.transport.sockets.Sockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The service manager that has started this process, if it is systemd: the socket that it hands over, see sd_listen_fds(3), and what it wants to hear, see
 * sd_notify(3).
 */
public final class ServiceManager {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceManager.class);
    private static final int FIRST_SOCKET = 3;
    private static final long LIMIT_SECONDS = 5;

    private final Map<String, String> variables;

    /** @param variables of this process */
    public ServiceManager(Map<String, String> variables) {
        this.variables = Map.copyOf(variables);
    }

    /**
     * The descriptor of the socket that it hands over, if it does.
     *
     * @throws IllegalArgumentException if these are several
     */
    public OptionalInt socket() {
        String own = Long.toString(ProcessHandle.current().pid());
        String count = variables.getOrDefault("LISTEN_FDS", "");
        if (!variables.getOrDefault("LISTEN_PID", "").equals(own) || count.isEmpty() || count.equals("0")) {
            return OptionalInt.empty();
        }
        if (!count.equals("1")) {
            throw new IllegalArgumentException(
                    "the service manager hands over " + count + " sockets: use a unit with one ListenStream=");
        }
        return OptionalInt.of(FIRST_SOCKET);
    }

    /** Tells it how this process is, such as {@code READY=1}; does nothing if it does not want to hear. */
    void tell(Sockets sockets, String state) {
        String path = variables.getOrDefault("NOTIFY_SOCKET", "");
        if (path.isEmpty()) {
            return;
        }
        if (sockets.kind() != Sockets.Kind.EPOLL) {
            LOG.warn("cannot tell the service manager {}: this platform has no epoll", state);
            return;
        }
        // An @ stands for the zero byte before an abstract name.
        String name = path.startsWith("@") ? "\0" + path.substring(1) : path;
        ChannelFuture connected = new Bootstrap()
                .group(sockets.group())
                .channel(EpollDomainDatagramChannel.class)
                .handler(new ChannelInboundHandlerAdapter())
                .connect(new DomainSocketAddress(name));
        Channel channel = connected.channel();
        boolean told = connected.awaitUninterruptibly(LIMIT_SECONDS, TimeUnit.SECONDS)
                && connected.isSuccess()
                && channel.writeAndFlush(Unpooled.copiedBuffer(state, UTF_8))
                        .awaitUninterruptibly()
                        .isSuccess();
        channel.close().awaitUninterruptibly();
        if (!told) {
            LOG.warn("cannot tell the service manager {} through {}", state, path, connected.cause());
        }
    }
}

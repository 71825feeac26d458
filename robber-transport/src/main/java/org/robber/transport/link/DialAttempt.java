package org.robber.transport.link;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.robber.transport.control.ControlMessage.DataHello;
import org.robber.transport.security.Credentials;
import org.robber.transport.security.GreetingFailed;

/** One attempt of a {@link PeerDialer} to connect to a peer. Belongs to the event loop of the connection. */
final class DialAttempt extends ChannelInitializer<SocketChannel> {
    private final Credentials credentials;
    private final Target target;
    private final CompletableFuture<Channel> connected;
    private final Consumer<Throwable> failed;
    private String ending = "the connection ended before the peer had said who it is";
    private @Nullable Channel channel;
    private boolean over;

    /**
     * The node to connect to.
     *
     * @param rank which node should answer
     * @param ours sent after the greeting
     */
    record Target(String address, int port, int rank, DataHello ours) {}

    /**
     * @param connected completed if the peer has answered, exceptionally if it has answered wrongly
     * @param failed told once if another attempt may succeed
     */
    DialAttempt(
            Credentials credentials, Target target, CompletableFuture<Channel> connected, Consumer<Throwable> failed) {
        this.credentials = credentials;
        this.target = target;
        this.connected = connected;
        this.failed = failed;
    }

    /** Connects; called once. */
    void begin(Bootstrap bootstrap) {
        ChannelFuture connecting = bootstrap.handler(this).connect(target.address, target.port);
        connecting.addListener(tcp -> {
            if (tcp.isSuccess()) {
                connecting.channel().closeFuture().addListener(closed -> end(new IOException(ending)));
            } else {
                end(tcp.cause());
            }
        });
    }

    /** The connection is not wanted any more. */
    void abandon() {
        over = true;
        if (channel != null) {
            channel.close();
        }
    }

    @Override
    protected void initChannel(SocketChannel fresh) {
        channel = fresh;
        PlacedReceive.install(fresh);
        DataHelloHandler hello =
                new DataHelloHandler((theirs, answer) -> met(fresh, theirs), this::greetingFailed).first(target.ours);
        fresh.pipeline().addLast(credentials.connecting()).addLast(hello);
    }

    private void end(Throwable cause) {
        if (!over) {
            over = true;
            failed.accept(cause);
        }
    }

    private void met(Channel fresh, DataHello theirs) {
        over = true;
        boolean right = theirs.rank() == target.rank && theirs.seed() == target.ours.seed();
        if (!right) {
            connected.completeExceptionally(new IOException("rank " + theirs.rank() + " answers at its address"));
        }
        if (!right || !connected.complete(fresh)) {
            fresh.close();
        }
    }

    private void greetingFailed(GreetingFailed failure) {
        ending = "the greeting failed: " + failure.reason();
        if (failure.kind() != GreetingFailed.Kind.LEFT) {
            over = true;
            connected.completeExceptionally(new IOException(ending));
        }
    }
}

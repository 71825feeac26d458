package org.robber.transport.link;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.robber.core.protocol.ControlMessage.DataHello;
import org.robber.transport.security.Credentials;
import org.robber.transport.security.GreetingFailed;
import org.robber.transport.sockets.Sockets;

/**
 * Connects to the {@link PeerDoor} of a peer. What may pass is tried again: a full queue of new connections, or a door
 * besieged by strangers, who push out whoever has not said who it is. A peer that answers wrongly is not tried again.
 */
final class PeerCall {
    private static final int MOST_RETRIES = 20;
    private static final long RETRY_MILLIS = 250;

    private final Sockets sockets;
    private final Credentials credentials;
    private final String address;
    private final int port;
    private final DataHello ours;
    private final int rank;
    private final CompletableFuture<Channel> connected;
    private int retries;

    /**
     * @param ours what to say after the greeting
     * @param rank who should answer
     * @param connected completed when it has
     */
    PeerCall(
            Sockets sockets,
            Credentials credentials,
            String address,
            int port,
            DataHello ours,
            int rank,
            CompletableFuture<Channel> connected) {
        this.sockets = sockets;
        this.credentials = credentials;
        this.address = address;
        this.port = port;
        this.ours = ours;
        this.rank = rank;
        this.connected = connected;
    }

    /** Connects; to be called once. */
    void attempt() {
        Attempt attempt = new Attempt();
        sockets.bootstrap().handler(attempt).connect(address, port).addListener(tcp -> {
            if (!tcp.isSuccess()) {
                attempt.ended(tcp.cause());
            }
        });
    }

    private void retry(Throwable cause) {
        if (connected.isDone()) {
            return;
        }
        if (retries == MOST_RETRIES) {
            connected.completeExceptionally(cause);
            return;
        }
        retries++;
        try {
            sockets.group().schedule(this::attempt, RETRY_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            connected.completeExceptionally(cause);
        }
    }

    /** One connection. */
    private final class Attempt extends ChannelInitializer<SocketChannel> {
        /** A connection that is refused is closed, too. */
        private final AtomicBoolean ended = new AtomicBoolean();

        private String ending = "the connection ended before the peer had said who it is";

        @Override
        protected void initChannel(SocketChannel channel) {
            PlacedReceive.install(channel);
            DataHelloHandler hello =
                    new DataHelloHandler((theirs, answer) -> met(channel, theirs), this::failed).first(ours);
            channel.pipeline().addLast(credentials.connecting()).addLast(hello);
            channel.closeFuture().addListener(closed -> ended(new IOException(ending)));
        }

        void ended(Throwable cause) {
            if (ended.compareAndSet(false, true)) {
                retry(cause);
            }
        }

        private void met(Channel channel, DataHello theirs) {
            boolean right = theirs.rank() == rank && theirs.seed() == ours.seed();
            if (!right) {
                connected.completeExceptionally(new IOException("rank " + theirs.rank() + " answers at its address"));
            }
            if (!right || !connected.complete(channel)) {
                channel.close();
            }
        }

        private void failed(GreetingFailed failure) {
            ending = "the greeting failed: " + failure.reason();
            if (failure.kind() != GreetingFailed.Kind.LEFT) {
                connected.completeExceptionally(new IOException(ending));
            }
        }
    }
}

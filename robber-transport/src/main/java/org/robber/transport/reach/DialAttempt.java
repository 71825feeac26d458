package org.robber.transport.reach;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.security.Credentials;
import org.robber.transport.security.GreetingFailed;

/** One attempt to connect to one address of a peer, until the peer has answered our first frame. Belongs to the event loop of the connection. */
final class DialAttempt extends ChannelInitializer<SocketChannel> {
    private final Credentials credentials;
    private final String address;
    private final Events events;
    private String ending = "the connection ended before the peer had said who it is";
    private @Nullable Channel channel;
    private boolean open;
    private boolean over;

    /** Told of an attempt. */
    interface Events {
        /** The greeting is over: what to send; null if the connection is not wanted any more. */
        @Nullable
        ControlMessage greeted(DialAttempt attempt);

        /** The peer has answered. The attempt is over. */
        void answered(DialAttempt attempt, Channel channel, ControlMessage answer);

        /**
         * The attempt is over.
         *
         * @param forGood whether who answers there belongs to somebody else
         */
        void failed(DialAttempt attempt, IOException cause, boolean forGood);
    }

    DialAttempt(Credentials credentials, String address, Events events) {
        this.credentials = credentials;
        this.address = address;
        this.events = events;
    }

    /** Connects; called once. */
    void begin(Bootstrap bootstrap, int port) {
        ChannelFuture connecting = bootstrap.handler(this).connect(address, port);
        connecting.addListener(tcp -> {
            if (tcp.isSuccess()) {
                open = true;
                connecting.channel().closeFuture().addListener(closed -> end(ending, null, /* forGood= */ false));
            } else {
                end(String.valueOf(tcp.cause().getMessage()), tcp.cause(), /* forGood= */ false);
            }
        });
    }

    String address() {
        return address;
    }

    /** Whether the peer's system has accepted the connection, and the answer is still to come. */
    boolean isOpen() {
        return open && !over;
    }

    /** The connection is not wanted any more. */
    void abandon() {
        if (!over) {
            over = true;
            if (channel != null) {
                channel.close();
            }
        }
    }

    @Override
    protected void initChannel(SocketChannel fresh) {
        channel = fresh;
        PlacedReceive.install(fresh);
        FirstFrameHandler frames = new FirstFrameHandler(answer -> answered(fresh, answer), this::greetingFailed)
                .first(() -> over ? null : events.greeted(this));
        fresh.pipeline().addLast(credentials.connecting()).addLast(frames);
    }

    private void answered(Channel fresh, ControlMessage answer) {
        if (over) {
            fresh.close();
        } else {
            over = true;
            events.answered(this, fresh, answer);
        }
    }

    private void end(String why, @Nullable Throwable cause, boolean forGood) {
        if (!over) {
            over = true;
            events.failed(this, new IOException(why, cause), forGood);
        }
    }

    private void greetingFailed(GreetingFailed failure) {
        ending = "the greeting failed: " + failure.reason();
        if (failure.kind() != GreetingFailed.Kind.LEFT) {
            end(ending, null, /* forGood= */ true);
        }
    }
}

package org.robber.transport.reach;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.security.Credentials;
import org.robber.transport.security.GreetingFailed;

/**
 * Attempts to connect to the addresses of a node: one after the other, a quarter of a second apart, side by side (RFC 8305). When all have failed, a pause, and
 * again. Belongs to an event loop.
 */
final class DirectWay {
    /** The Connection Attempt Delay of RFC 8305. */
    static final long NEXT_ADDRESS_MILLIS = 250;

    private final EventLoop loop;
    private final Supplier<Bootstrap> bootstrap;
    private final Credentials credentials;
    private final int port;
    private final @Nullable RetryPause pause;
    private final Owner owner;
    private final List<String> addresses;
    private final List<Attempt> attempts = new ArrayList<>();
    private int next;
    private boolean over;

    /** Told of the attempts. */
    interface Owner {
        /** The greeting is over: what to send; null if the connection is not wanted any more. */
        @Nullable
        ControlMessage greeted(Object attempt);

        /** The node has answered. Returns whether this is the wanted answer; else the address is not tried again, and the connection is closed. */
        boolean answered(Object attempt, Channel channel, ControlMessage answer);

        /** An attempt has failed. */
        void failed(Object attempt, IOException cause);

        /**
         * All addresses have failed once more.
         *
         * @param forGood whether others than the wanted node answer at all of them
         */
        void allFailed(IOException cause, boolean forGood);
    }

    /**
     * @param bootstrap for connections of this loop
     * @param pause before all addresses are tried again; null if each is tried once
     */
    DirectWay(
            EventLoop loop,
            Supplier<Bootstrap> bootstrap,
            Credentials credentials,
            Target target,
            @Nullable RetryPause pause,
            Owner owner) {
        this.loop = loop;
        this.bootstrap = bootstrap;
        this.credentials = credentials;
        this.port = target.port();
        this.addresses = new ArrayList<>(target.addresses());
        this.pause = pause;
        this.owner = owner;
    }

    /** Begins with the first address, or begins again. */
    void begin() {
        if (!over) {
            next = 0;
            attempt();
        }
    }

    private void attempt() {
        if (over || next >= addresses.size()) {
            return;
        }
        Attempt attempt = new Attempt(addresses.get(next));
        next++;
        attempts.add(attempt);
        attempt.begin();
        int begun = next;
        loop.schedule(
                () -> {
                    if (next == begun) {
                        attempt();
                    }
                },
                NEXT_ADDRESS_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    /** Whether an address has accepted a connection, so that the network between the two is open. */
    boolean isOpen() {
        return attempts.stream().anyMatch(Attempt::isOpen);
    }

    /** No connection is wanted any more. */
    void end() {
        over = true;
        attempts.forEach(Attempt::abandon);
        attempts.clear();
    }

    private static String wrong(ControlMessage answer) {
        return answer instanceof ControlMessage.DataHello hello
                ? "rank " + hello.rank() + " answers at its address"
                : "it answers with " + answer;
    }

    /**
     * An attempt is over.
     *
     * @param forGood whether who answers at its address belongs to somebody else
     */
    private void failed(Attempt attempt, IOException cause, boolean forGood) {
        attempts.remove(attempt);
        owner.failed(attempt, cause);
        if (over) {
            return;
        }
        if (forGood) {
            int index = addresses.indexOf(attempt.address);
            if (index >= 0) {
                addresses.remove(index);
                next -= index < next ? 1 : 0;
            }
        }
        if (next < addresses.size()) {
            attempt();
        } else if (attempts.isEmpty()) {
            owner.allFailed(cause, addresses.isEmpty());
            if (pause != null && !addresses.isEmpty() && !over && !loop.isShuttingDown()) {
                loop.schedule(this::begin, pause.nextMillis(), TimeUnit.MILLISECONDS);
            }
        }
    }

    /** One attempt to connect to one address, until the peer has answered our first frame. */
    private final class Attempt extends ChannelInitializer<SocketChannel> {
        private final String address;
        private String ending = "the connection ended before the peer had said who it is";
        private @Nullable Channel channel;
        private boolean open;
        private boolean done;

        Attempt(String address) {
            this.address = address;
        }

        void begin() {
            ChannelFuture connecting = bootstrap.get().handler(this).connect(address, port);
            connecting.addListener(tcp -> {
                if (tcp.isSuccess()) {
                    open = true;
                    connecting.channel().closeFuture().addListener(closed -> end(ending, null, /* forGood= */ false));
                } else {
                    end(String.valueOf(tcp.cause().getMessage()), tcp.cause(), /* forGood= */ false);
                }
            });
        }

        /** Whether the peer's system has accepted the connection, and the answer is still to come. */
        boolean isOpen() {
            return open && !done;
        }

        /** The connection is not wanted any more. */
        void abandon() {
            if (!done) {
                done = true;
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
                    .first(() -> done ? null : owner.greeted(this));
            fresh.pipeline().addLast(credentials.connecting()).addLast(frames);
        }

        private void answered(Channel fresh, ControlMessage answer) {
            if (done) {
                fresh.close();
                return;
            }
            done = true;
            if (!owner.answered(this, fresh, answer)) {
                fresh.close();
                failed(this, new IOException(wrong(answer)), /* forGood= */ true);
            }
        }

        private void end(String why, @Nullable Throwable cause, boolean forGood) {
            if (!done) {
                done = true;
                failed(this, new IOException(why, cause), forGood);
            }
        }

        private void greetingFailed(GreetingFailed failure) {
            ending = "the greeting failed: " + failure.reason();
            if (failure.kind() != GreetingFailed.Kind.LEFT) {
                end(ending, null, /* forGood= */ true);
            }
        }
    }
}

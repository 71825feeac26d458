package org.robber.transport.reach;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.security.Credentials;

/**
 * Attempts to connect to the addresses of a node: one after the other, a quarter of a second apart, side by side (RFC 8305). When all have failed, a pause, and
 * again. Belongs to an event loop.
 */
final class DirectWay implements DialAttempt.Events {
    /** The Connection Attempt Delay of RFC 8305. */
    static final long NEXT_ADDRESS_MILLIS = 250;

    private final EventLoop loop;
    private final Supplier<Bootstrap> bootstrap;
    private final Credentials credentials;
    private final int port;
    private final @Nullable RetryPause pause;
    private final Owner owner;
    private final List<String> addresses;
    private final List<DialAttempt> attempts = new ArrayList<>();
    private int next;
    private boolean over;

    /** Told of the attempts. */
    interface Owner {
        /** As {@link DialAttempt.Events#greeted}. */
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
        DialAttempt attempt = new DialAttempt(credentials, addresses.get(next), this);
        next++;
        attempts.add(attempt);
        attempt.begin(bootstrap.get(), port);
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
        return attempts.stream().anyMatch(DialAttempt::isOpen);
    }

    /** No connection is wanted any more. */
    void end() {
        over = true;
        attempts.forEach(DialAttempt::abandon);
        attempts.clear();
    }

    @Override
    public @Nullable ControlMessage greeted(DialAttempt attempt) {
        return owner.greeted(attempt);
    }

    @Override
    public void answered(DialAttempt attempt, Channel channel, ControlMessage answer) {
        if (!owner.answered(attempt, channel, answer)) {
            channel.close();
            failed(attempt, new IOException(wrong(answer)), /* forGood= */ true);
        }
    }

    private static String wrong(ControlMessage answer) {
        return answer instanceof ControlMessage.DataHello hello
                ? "rank " + hello.rank() + " answers at its address"
                : "it answers with " + answer;
    }

    @Override
    public void failed(DialAttempt attempt, IOException cause, boolean forGood) {
        attempts.remove(attempt);
        owner.failed(attempt, cause);
        if (over) {
            return;
        }
        if (forGood) {
            int index = addresses.indexOf(attempt.address());
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
}

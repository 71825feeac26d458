package org.robber.transport.reach;

import io.netty.channel.Channel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** The connections that this node has asked others to make to it, each by a token. Thread-safe. */
final class CallBacks {
    private final AtomicLong lastToken = new AtomicLong();
    private final Map<Long, Consumer<Channel>> expected = new ConcurrentHashMap<>();

    /**
     * Expects connections.
     *
     * @param taker gets them, on their event loops
     * @return the token by which they are known
     */
    long expect(Consumer<Channel> taker) {
        long token = lastToken.incrementAndGet();
        expected.put(token, taker);
        return token;
    }

    /** Connections of this token are not wanted any more. */
    void forget(long token) {
        expected.remove(token);
    }

    /** A node has connected, as it was asked to; returns whether the connection is wanted. */
    boolean came(long token, Channel channel) {
        Consumer<Channel> taker = expected.get(token);
        if (taker != null) {
            taker.accept(channel);
        }
        return taker != null;
    }
}

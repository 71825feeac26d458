package org.robber.transport.reach;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.robber.transport.reach.KnownRoutes.Route;

/** Asks a node through rank 0 to connect to this one, and goes on with the connection as if this node had made it. Belongs to an event loop. */
final class BackWay {
    /** The node may have been busy, or its connection may have failed. */
    private static final long AGAIN_MILLIS = 5000;

    private final Detours detours;
    private final Dial dial;
    private final EventLoop loop;

    /** The connections that the node has made, without an answer yet. */
    private final Set<Channel> unanswered = ConcurrentHashMap.newKeySet();

    private long token;
    private boolean begun;

    BackWay(Detours detours, Dial dial, EventLoop loop) {
        this.detours = detours;
        this.dial = dial;
        this.loop = loop;
    }

    /** Asks, unless it has asked before. */
    void begin() {
        if (!begun) {
            begun = true;
            token = detours.expect(this::came);
            ask();
        }
    }

    private void ask() {
        if (!dial.isOver()) {
            detours.ask(dial.rank(), token);
            loop.schedule(this::ask, AGAIN_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** The node has connected. On the loop of the connection. */
    private void came(Channel channel) {
        // While it is silent, no other way goes on; the node is asked again, too.
        ScheduledFuture<?> limit = channel.eventLoop()
                .schedule(() -> channel.close(), RelayWay.EACH_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        // Before the dial is asked whether it wants this one: a dial that is over later closes it.
        unanswered.add(channel);
        FirstFrameHandler frames = new FirstFrameHandler(
                        answer -> {
                            limit.cancel(false);
                            unanswered.remove(channel);
                            if (!dial.answered(channel, channel, answer, Route.CALLED_BACK)) {
                                channel.close();
                            }
                        },
                        failure -> dial.failed(channel, new IOException(failure.reason())))
                .first(() -> dial.greeted(channel))
                .afterGreeting();
        channel.closeFuture().addListener(closed -> {
            limit.cancel(false);
            unanswered.remove(channel);
            dial.ended(channel);
        });
        HandOver.to(channel, frames);
    }

    /** For people: what has become of it. */
    String outcome() {
        return begun ? "; nor did it connect back when it was asked to" : "";
    }

    /** No connection is wanted any more. */
    void end() {
        if (begun) {
            detours.forget(token);
            unanswered.forEach(Channel::close);
        }
    }
}

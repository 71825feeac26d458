package org.robber.transport.reach;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.robber.transport.reach.KnownRoutes.Route;

/** Asks a node through rank 0 to connect to this one, and goes on with the connection as if this node had made it. Belongs to an event loop. */
final class BackWay {
    /** The node may have been busy, or its connection may have failed. */
    private static final long AGAIN_MILLIS = 5000;

    private final Detours detours;
    private final Dial dial;
    private final EventLoop loop;
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
            token = detours.callBacks().expect(this::came);
            ask();
        }
    }

    private void ask() {
        if (!dial.isOver()) {
            detours.ask(dial.rank(), token);
            loop.schedule(this::ask, AGAIN_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void came(Channel channel) {
        FirstFrameHandler frames = new FirstFrameHandler(
                        answer -> {
                            if (!dial.answered(channel, channel, answer, Route.CALLED_BACK)) {
                                channel.close();
                            }
                        },
                        failure -> dial.failed(channel, new IOException(failure.reason())))
                .first(() -> dial.greeted(channel))
                .afterGreeting();
        channel.closeFuture().addListener(closed -> dial.ended(channel));
        HandOver.to(channel, frames);
    }

    /** For people: what has become of it. */
    String outcome() {
        return begun ? "; nor did it connect back when it was asked to" : "";
    }

    /** No connection is wanted any more. */
    void end() {
        if (begun) {
            detours.callBacks().forget(token);
        }
    }
}

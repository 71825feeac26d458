package org.robber.transport.rendezvous;

import io.netty.channel.EventLoop;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.robber.transport.control.ControlLink;
import org.robber.transport.control.ControlMessage;

/** The connection of all nodes but rank 0. */
final class RemoteRankZero implements RankZeroConnection {
    private static final long GOODBYE_LIMIT_SECONDS = 2;

    private final ControlLink link;
    private final EventLoop loop;

    RemoteRankZero(ControlLink link, EventLoop loop) {
        this.link = link;
        this.loop = loop;
    }

    @Override
    public void send(ControlMessage message) {
        link.send(message);
    }

    @Override
    public void arrive(ControlMessage.Arrive arrive, Function<List<byte[]>, byte[]> reply) {
        link.send(arrive);
    }

    @Override
    public CompletableFuture<Void> leave(boolean inPeace) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        var unused = link.closed().addListener(closed -> ended.complete(null));
        if (inPeace) {
            // Rank 0 closes the connection when it has read this. If we did, with something unread on our side, the
            // connection would be reset, and the goodbye lost.
            link.send(new ControlMessage.Goodbye());
            var limit = loop.schedule(() -> link.close("left"), GOODBYE_LIMIT_SECONDS, TimeUnit.SECONDS);
            var unusedLimit = ended.thenRun(() -> limit.cancel(false));
        } else {
            link.close("the job has failed");
        }
        return ended;
    }
}

package org.robber.transport.rankzero;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.robber.JoinedNode;
import org.robber.RobberException;
import org.robber.core.topology.Topology;
import org.robber.transport.control.ControlFailures;
import org.robber.transport.control.ControlMessage.Publish;
import org.robber.transport.join.JoinerConnection;

/** The release of joiners that have all pieces, and the wait for their results. Belongs to one event loop. */
final class JoinerRelease {
    /** How long complete joiners may take for their results after others were dropped. */
    private static final long DROPPED_LIMIT_MILLIS = 2000;

    private final Collection<JoinerState> nodes;
    private final Supplier<Topology> everyone;
    private final Duration stallTimeout;
    private final EventLoop loop;
    private @Nullable CompletableFuture<List<JoinedNode>> released;

    /** The job has dropped joiners: there is no time to wait long for the others either. */
    private boolean dropped;

    /**
     * @param nodes the joiners; may become more until the release begins
     * @param everyone all nodes of the job with the joiners
     */
    JoinerRelease(Collection<JoinerState> nodes, Supplier<Topology> everyone, Duration stallTimeout, EventLoop loop) {
        this.nodes = nodes;
        this.everyone = everyone;
        this.stallTimeout = stallTimeout;
        this.loop = loop;
    }

    /** Completes the future with all outcomes, when each result or failure is known. */
    void begin(byte[] digestOfAll, CompletableFuture<List<JoinedNode>> release) {
        released = release;
        for (JoinerState node : nodes) {
            if (node.complete && node.failure == null) {
                node.link.send(new Publish(0, JoinerConnection.RELEASE, digestOfAll));
            }
        }
        long stallMillis = stallTimeout.toMillis();
        long limitMillis = dropped ? Math.min(DROPPED_LIMIT_MILLIS, stallMillis) : stallMillis;
        var limit = loop.schedule(() -> overdue(limitMillis), limitMillis, TimeUnit.MILLISECONDS);
        var unused = release.thenRun(() -> limit.cancel(false));
        endIfFinished();
    }

    private void overdue(long limitMillis) {
        String why = "it did not report within " + ControlFailures.seconds(Duration.ofMillis(limitMillis))
                + " whether its copy is in place";
        for (JoinerState node : nodes) {
            if (!node.isFinished()) {
                node.drop(node.lost(everyone.get(), why));
            }
        }
        endIfFinished();
    }

    /** Drops joiners that lack pieces, and those whose results the release waits for. */
    void drop(RobberException why) {
        dropped = true;
        for (JoinerState node : nodes) {
            if (node.isIncomplete() || (released != null && !node.isFinished())) {
                node.drop(why);
            }
        }
        endIfFinished();
    }

    void endIfFinished() {
        if (nodes.stream().allMatch(JoinerState::isFinished)) {
            end();
        }
    }

    /** Ends a release that has begun, whatever is not known. */
    void end() {
        if (released != null) {
            Topology names = everyone.get();
            released.complete(nodes.stream().map(node -> node.outcome(names)).toList());
        }
    }
}

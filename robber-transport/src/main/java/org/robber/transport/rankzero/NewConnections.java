package org.robber.transport.rankzero;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.robber.JobOptions;
import org.robber.transport.control.ControlLink;
import org.robber.transport.control.ControlLinkListener;
import org.robber.transport.control.ControlType;
import org.robber.transport.security.Credentials;
import org.robber.transport.security.GreetingFailed;
import org.robber.transport.security.UnauthenticatedConnections;
import org.robber.transport.sockets.LoopLimit;

/**
 * Connections to rank 0 until they have proven the secret and said which node they are. Belongs to one event loop, but for {@link #admit}, which is for
 * any thread.
 */
final class NewConnections {
    private static final long ANNOUNCE_LIMIT_SECONDS = 10;

    private final JobOptions options;
    private final Credentials credentials;
    private final EventLoop loop;
    private final ControlLinkListener listener;
    private final UnauthenticatedConnections unauthenticated;
    private final Map<ControlLink, UnauthenticatedConnections.Entry> entries = new ConcurrentHashMap<>();
    private final Map<ControlLink, LoopLimit> announceLimits = new HashMap<>();
    private final FailedGreetings failedProofs =
            new FailedGreetings("failed to prove the secret: is ROBBER_SECRET_FILE the same on every node?");
    private final FailedGreetings otherVersions =
            new FailedGreetings("runs another version of Robber: install the same one on every node");

    /** @param listener told of them, on the loop */
    NewConnections(JobOptions options, Credentials credentials, EventLoop loop, ControlLinkListener listener) {
        this.options = options;
        this.credentials = credentials;
        this.loop = loop;
        this.listener = listener;
        this.unauthenticated = new UnauthenticatedConnections("rank 0", options.size());
    }

    /** Greets a new connection. */
    void admit(Channel channel) {
        // On the connection's loop: greetings and handshakes of many nodes go on side by side.
        UnauthenticatedConnections.Entry entry = unauthenticated.admit(channel);
        ControlLink link = ControlLink.on(
                channel,
                loop,
                entry.toString(),
                credentials.listening(),
                ControlType.FROM_NEW_NODE,
                options.silenceTimeout(),
                listener);
        entries.put(link, entry);
    }

    /** It has proven the secret; now it must say who it is. */
    void greeted(ControlLink link) {
        announceLimits.put(
                link,
                LoopLimit.start(
                        loop,
                        ANNOUNCE_LIMIT_SECONDS,
                        () -> link.close("it did not announce itself within " + ANNOUNCE_LIMIT_SECONDS + " s")));
    }

    /** It says who it is; returns false if nobody waits for that any more. */
    boolean announced(ControlLink link) {
        UnauthenticatedConnections.Entry entry = entries.remove(link);
        endAnnounceLimit(link);
        return entry != null && entry.end();
    }

    /** A connection has ended; returns false if it was not new any more. */
    boolean ended(ControlLink link, String why) {
        UnauthenticatedConnections.Entry entry = entries.remove(link);
        endAnnounceLimit(link);
        if (entry == null) {
            return false;
        }
        GreetingFailed greeting = link.greetingFailure();
        if (greeting != null && greeting.kind() == GreetingFailed.Kind.SECRET) {
            failedProofs.add(entry.from());
        } else if (greeting != null && greeting.kind() == GreetingFailed.Kind.VERSION) {
            otherVersions.add(entry.from());
        }
        if (greeting == null || greeting.kind() != GreetingFailed.Kind.LEFT) {
            entry.refuse(why);
        }
        entry.end();
        return true;
    }

    private void endAnnounceLimit(ControlLink link) {
        LoopLimit limit = announceLimits.remove(link);
        if (limit != null) {
            limit.cancel();
        }
    }

    /** Clauses on those that failed and may be the nodes that are missing; empty if there were none. */
    String failures() {
        return failedProofs.toString() + otherVersions;
    }

    void closeAll() {
        unauthenticated.closeAll();
    }
}

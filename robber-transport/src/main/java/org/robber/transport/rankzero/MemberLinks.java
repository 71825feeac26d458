package org.robber.transport.rankzero;

import com.google.common.collect.BiMap;
import com.google.common.collect.HashBiMap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.robber.transport.control.ControlLink;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlMessage.Fail;
import org.robber.transport.control.ControlMessage.Publish;
import org.robber.transport.control.OutgoingFrames;

/** The connections of rank 0 to the other members, and the order in which they end when rank 0 leaves. Belongs to one event loop. */
final class MemberLinks {
    private static final long GOODBYES_LIMIT_SECONDS = 5;
    private static final long FAILED_LIMIT_SECONDS = 2;

    private final BiMap<ControlLink, Integer> rankOf;
    /** Connections of nodes that gave up and wait for the exit code of the job. */
    private final Set<ControlLink> awaitingConclusion = new HashSet<>();

    private final Runnable end;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private boolean failed;
    private boolean leaving;

    /**
     * @param links the connections with their ranks
     * @param end run when rank 0 has left
     */
    MemberLinks(Map<ControlLink, Integer> links, Runnable end) {
        this.rankOf = HashBiMap.create(links);
        this.end = end;
    }

    Set<ControlLink> all() {
        return rankOf.keySet();
    }

    /** The rank of the member with this connection, or null if it was lost or has left. */
    @Nullable
    Integer rank(ControlLink link) {
        return rankOf.get(link);
    }

    boolean contains(int rank) {
        return rankOf.containsValue(rank);
    }

    /** Sends to all members. The exit code and the failure of the job go also to those that gave up. */
    void send(ControlMessage message) {
        sendAll(rankOf.keySet(), message);
        failed |= message instanceof Fail;
        if (message instanceof Fail || (message instanceof Publish publish && publish.isConclusion())) {
            sendAll(awaitingConclusion, message);
        }
    }

    /** Sends to one member, unless it was lost or has left. */
    void send(int rank, ControlMessage message) {
        ControlLink link = rankOf.inverse().get(rank);
        if (link != null) {
            link.send(message);
        }
    }

    private static void sendAll(Collection<ControlLink> links, ControlMessage message) {
        ByteBuf frame = OutgoingFrames.encode(message);
        links.forEach(link -> link.send(frame.retainedDuplicate()));
        frame.release();
    }

    /** The job goes on without this member, whose connection stays until the exit code is known. */
    void lose(int rank) {
        ControlLink link = rankOf.inverse().remove(rank);
        if (link != null) {
            awaitingConclusion.add(link);
        }
    }

    /** The connection has ended, or its member has left. */
    void remove(ControlLink link) {
        awaitingConclusion.remove(link);
        rankOf.remove(link);
        endIfLast();
    }

    private void endIfLast() {
        if (leaving && rankOf.isEmpty()) {
            end();
        }
    }

    /** Rank 0 leaves: waits until the members have left, for a limited time. */
    CompletableFuture<Void> leave(boolean inPeace, EventLoop loop) {
        leaving = true;
        // A node that knows of the failure closes its connection. If rank 0 closed first, a reset could destroy the
        // message.
        long limitSeconds = inPeace ? GOODBYES_LIMIT_SECONDS : FAILED_LIMIT_SECONDS;
        var limit = loop.schedule(this::end, limitSeconds, TimeUnit.SECONDS);
        var unused = ended.thenRun(() -> limit.cancel(false));
        endIfLast();
        return ended;
    }

    private void end() {
        if (!ended.isDone()) {
            List<ControlLink> left = List.copyOf(rankOf.keySet());
            // Their ends are no losses.
            rankOf.clear();
            for (ControlLink link : left) {
                if (!failed) {
                    link.send(new ControlMessage.Goodbye());
                }
                link.close("rank 0 leaves");
            }
            List.copyOf(awaitingConclusion).forEach(link -> link.close("rank 0 leaves"));
            end.run();
            ended.complete(null);
        }
    }
}

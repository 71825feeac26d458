package org.robber.transport.join;

import io.netty.channel.EventLoop;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.transport.control.ControlFailures;
import org.robber.transport.control.ControlLink;
import org.robber.transport.control.ControlLinkListener;
import org.robber.transport.control.ControlMessage;
import org.robber.transport.control.ControlMessage.Admit;
import org.robber.transport.control.ControlMessage.CallBack;
import org.robber.transport.control.ControlMessage.Fail;
import org.robber.transport.control.ControlMessage.Lost;
import org.robber.transport.control.ControlMessage.Progress;
import org.robber.transport.control.ControlMessage.Publish;
import org.robber.transport.control.ControlMessage.Roster;
import org.robber.transport.control.FirstFailure;
import org.robber.transport.sockets.Sockets;

/**
 * A joiner's connection to rank 0, with the messages in both directions. Thread-safe. The end of the
 * connection, or of the job, fails all futures.
 */
public final class JoinerConnection implements ControlLinkListener {
    /** Under this topic rank 0 describes the data, in parts. */
    public static final String DESCRIPTION = "description";

    /** The joiner has every piece. */
    public static final String COMPLETE = "complete";

    /** The pieces may be used, if the digest over all of them is the payload. */
    public static final String RELEASE = "release";

    /** The result of the joiner: its last message. */
    public static final String RESULT = "result";

    private static final String PHASE = "join";
    private static final long LEAVE_LIMIT_SECONDS = 5;

    private final Roster roster;
    private final ControlLink link;
    private final EventLoop loop;
    private final ByteArrayOutputStream parts = new ByteArrayOutputStream();
    private final CompletableFuture<Admission> admission = new CompletableFuture<>();
    private final CompletableFuture<byte[]> released = new CompletableFuture<>();
    private final SortedSet<Integer> lostRanks = new TreeSet<>();
    private IntConsumer lossListener = rank -> {};
    private final FirstFailure failure = new FirstFailure();
    private @Nullable Admit admit;
    private boolean leaving;

    /** The multicast to join. */
    @SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never copied or compared here
    public record Admission(Admit what, byte[] description) {}

    public JoinerConnection(Roster roster, ControlLink link, EventLoop loop) {
        this.roster = roster;
        this.link = link;
        this.loop = loop;
        failure.listen(why -> {
            admission.completeExceptionally(why);
            released.completeExceptionally(why);
        });
    }

    /** The nodes that rank 0 knew when this node came: members, earlier joiners, and this node, which is the last. */
    public Roster roster() {
        return roster;
    }

    /** This node. */
    public int rank() {
        return roster.members().size() - 1;
    }

    /** The multicast to join, when its whole description is here. */
    public CompletableFuture<Admission> admission() {
        return admission;
    }

    /** The digest over all pieces, once all members have everything and may use it. */
    public CompletableFuture<byte[]> released() {
        return released;
    }

    /** Sets the listener for lost members, which is called at once for earlier losses. Called on the event loop. */
    public void onLost(IntConsumer listener) {
        Sockets.runOn(loop, () -> {
            lossListener = listener;
            lostRanks.forEach(listener::accept);
        });
    }

    /** Adds a listener for the end of the job or of the connection; it is called at once if that has ended. */
    public void onFailure(Consumer<RobberException> listener) {
        Sockets.runOn(loop, () -> failure.listen(listener));
    }

    /** Tells rank 0 how far this node is. */
    public void report(long bytesDone, long bytesTotal) {
        Sockets.runOn(loop, () -> link.send(new Progress(PHASE, bytesDone, bytesTotal)));
    }

    /** As {@link org.robber.transport.rendezvous.ControlPlane#callBack}. */
    public void callBack(int peer, long token) {
        Sockets.runOn(loop, () -> link.send(new CallBack(rank(), peer, token)));
    }

    /** Tells rank 0 that every piece is here. */
    public void complete() {
        Sockets.runOn(loop, () -> link.send(new Publish(rank(), COMPLETE, new byte[0])));
    }

    /** Tells rank 0 the result. */
    public void tell(byte[] result) {
        Sockets.runOn(loop, () -> link.send(new Publish(rank(), RESULT, result)));
    }

    /** This node cannot go on: sends the reason to rank 0. */
    public void giveUp(RobberException why) {
        Sockets.runOn(loop, () -> {
            if (failure.get() == null) {
                link.send(ControlFailures.toLost(rank(), why));
                failure.set(why);
            }
        });
    }

    @Override
    public void received(ControlLink from, ControlMessage message) {
        if (message instanceof Admit received) {
            admit = received;
            completeAdmission();
        } else if (message instanceof Publish publish && publish.topic().equals(DESCRIPTION)) {
            parts.writeBytes(publish.payload());
            completeAdmission();
        } else if (message instanceof Publish publish && publish.topic().equals(RELEASE)) {
            released.complete(publish.payload());
        } else if (message instanceof Lost lost && lost.rank() != rank()) {
            if (lostRanks.add(lost.rank())) {
                lossListener.accept(lost.rank());
            }
        } else if (message instanceof Lost lost) {
            failure.set(ControlFailures.fromLost(lost));
        } else if (message instanceof Fail fail) {
            failure.set(ControlFailures.fromMessage(fail));
        }
    }

    private void completeAdmission() {
        Admit what = admit;
        if (what != null && parts.size() == what.descriptionBytes()) {
            admission.complete(new Admission(what, parts.toByteArray()));
        } else if (what == null || parts.size() > what.descriptionBytes()) {
            link.close("its description is longer than announced, or came before the announcement");
        }
    }

    @Override
    public void ended(ControlLink from, String why) {
        if (!leaving) {
            failure.set(new RobberException(
                    Reason.NETWORK,
                    List.of(0),
                    PHASE,
                    "rank 0 was lost, left the job, or has given up this node, while it joined: " + why));
        }
    }

    /** Leaves; waits a little until rank 0 has read the last messages. */
    public void close() {
        boolean asked = Sockets.runOn(loop, () -> {
            leaving = true;
            link.finish(new ControlMessage.Goodbye());
        });
        if (asked) {
            link.closed()
                    .completeOnTimeout(null, LEAVE_LIMIT_SECONDS, TimeUnit.SECONDS)
                    .join();
        }
    }
}

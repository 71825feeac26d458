package org.robber.transport.link;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.Message.Begin;
import org.robber.transport.link.SideConnection.Counts;
import org.robber.transport.link.frame.MessagesSent;
import org.robber.transport.link.pace.Distance;
import org.robber.transport.link.pace.SendRate;
import org.robber.transport.sockets.Sockets;

/**
 * The connections to the peer of a link beside its first one, and which of them carries a piece: the one on which the fewest wait, each in its turn. Belongs
 * to the event loop of the first connection.
 */
final class SideConnections {
    private final EventLoop loop;
    private final IntConsumer settled;
    private final Consumer<Throwable> defect;
    private final BiConsumer<String, Boolean> ended;
    private final List<Side> sides = new ArrayList<>();
    private final AtomicReference<MessagesSent> sent = new AtomicReference<>(MessagesSent.NONE);
    private @Nullable Current current;
    private boolean closed;
    private long turnsOfFirst;

    /** A connection, and how many pieces it was given. */
    private static final class Side {
        private final SideConnection connection;
        private long added;

        /** Its turns: those that it was given, and those before it was there. */
        private long turns;

        private Side(SideConnection connection, long turns) {
            this.connection = connection;
            this.turns = turns;
        }

        private long waiting() {
            return added - connection.counts().gone();
        }
    }

    private record Current(Begin begin, Transfer transfer, int peerNumber) {}

    /**
     * None yet.
     *
     * @param settled told of each piece that was handed over as a whole
     * @param defect told of what is a defect of this process
     * @param ended told why one has ended, and whether it may be of use to connect again
     */
    SideConnections(
            EventLoop loop, IntConsumer settled, Consumer<Throwable> defect, BiConsumer<String, Boolean> ended) {
        this.loop = loop;
        this.settled = settled;
        this.defect = defect;
        this.ended = ended;
    }

    int count() {
        return sides.size();
    }

    void add(int rank, Channel channel, Distance distance, SendRate rate, Duration idleTimeout) {
        if (closed) {
            channel.close();
            return;
        }
        SideConnection connection = new SideConnection(rank, channel, distance, rate, new SideConnection.Owner() {
            @Override
            public void settled(int piece) {
                Sockets.runIn(loop, () -> settled.accept(piece));
            }

            @Override
            public void sent(MessagesSent messages) {
                sent.accumulateAndGet(messages, MessagesSent::plus);
            }

            @Override
            public void crashed(Throwable thrown) {
                Sockets.runIn(loop, () -> defect.accept(thrown));
            }

            @Override
            public void ended(String why, boolean mayReturn) {
                Sockets.runIn(loop, () -> ended.accept(why, mayReturn));
            }
        });
        sides.add(new Side(connection, turnsOfFirst));
        Current now = current;
        if (now != null) {
            // Pieces may have come together with the peer's hello, so the layout must be known before anything is read.
            connection.begin(now.begin, now.transfer, now.peerNumber);
        }
        connection.open(idleTimeout);
    }

    void begin(Begin begin, Transfer transfer, int peerNumber) {
        current = new Current(begin, transfer, peerNumber);
        sides.forEach(side -> side.connection.begin(begin, transfer, peerNumber));
    }

    /**
     * Sends a piece, unless fewer wait on the first connection, or as few and it is its turn.
     *
     * @param waitingOnFirst pieces that wait there
     */
    boolean send(int piece, int waitingOnFirst) {
        Side best = null;
        long fewest = waitingOnFirst;
        long turns = turnsOfFirst;
        for (Side side : sides) {
            long waiting = side.waiting();
            if (waiting < fewest || (waiting == fewest && side.turns < turns)) {
                best = side;
                fewest = waiting;
                turns = side.turns;
            }
        }
        if (best == null) {
            turnsOfFirst++;
            return false;
        }
        best.turns++;
        best.added++;
        best.connection.add(piece);
        return true;
    }

    void cancel(int piece) {
        sides.forEach(side -> side.connection.cancel(piece));
    }

    /** Pieces that have not left as a whole. */
    int waitingPieces() {
        return (int) sides.stream().mapToLong(Side::waiting).sum();
    }

    long sentBytes() {
        return sides.stream()
                .map(side -> side.connection.counts())
                .mapToLong(Counts::sentBytes)
                .sum();
    }

    long readBytes() {
        return sides.stream().mapToLong(side -> side.connection.readBytes()).sum();
    }

    boolean isStopped() {
        return sides.stream().anyMatch(side -> side.connection.isStopped());
    }

    MessagesSent takeMessages() {
        return sent.getAndSet(MessagesSent.NONE);
    }

    /** Nothing is sent or received any more, until {@link #close}. */
    void finish() {
        closed = true;
        sides.forEach(side -> side.connection.finish());
    }

    void close() {
        closed = true;
        sides.forEach(side -> side.connection.close());
    }
}

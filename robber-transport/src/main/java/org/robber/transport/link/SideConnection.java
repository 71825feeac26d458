package org.robber.transport.link;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.Message;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.protocol.Message.PieceBlock;
import org.robber.core.wire.MessageCodec;
import org.robber.transport.link.frame.BlockPlace;
import org.robber.transport.link.frame.BlockReader;
import org.robber.transport.link.frame.FrameReader;
import org.robber.transport.link.frame.FrameSink;
import org.robber.transport.link.frame.FrameWriter;
import org.robber.transport.link.frame.MessagesSent;
import org.robber.transport.link.frame.ReadGate;
import org.robber.transport.link.pace.Distance;
import org.robber.transport.link.pace.SendRate;
import org.robber.transport.link.pace.SendWindow;
import org.robber.transport.link.pace.YieldingPace;
import org.robber.transport.reach.HandOver;
import org.robber.transport.reach.PlacedReceive;
import org.robber.transport.sockets.Liveness;
import org.robber.transport.sockets.Sockets;

/**
 * A further connection to the peer of a {@link PeerLink}, for pieces alone: the buffers of one connection do not fill a long line. Both
 * ends say on it which multicast begins: pieces of the one before may still be on their way then. Methods are for
 * any thread; the state belongs to the connection's event loop.
 */
final class SideConnection implements FrameSink {
    private final Channel channel;
    private final Owner owner;
    private final boolean yields;
    private final FrameWriter writer;
    private final BlockSender sender;
    private final FrameReader reader = new FrameReader(this);

    private final PeerCodecs incoming = new PeerCodecs();

    /** Multicasts that have begun at this node, until what comes is looked at or the loop hears of them. */
    private final Queue<Beginning> beginnings = new ConcurrentLinkedQueue<>();

    private @Nullable Transfer transfer;
    private int number;
    private boolean closed;

    /** What the link may read of this connection on its own event loop. */
    private volatile Counts counts = new Counts(0, 0);

    private long gone;

    private record Beginning(Begin begin, Transfer transfer, int peerNumber) {}

    /**
     * Counts since the connection was made.
     *
     * @param gone pieces that have left, were taken back, or were dropped since their multicast is over
     * @param sentBytes bytes of pieces that have left
     */
    record Counts(long gone, long sentBytes) {}

    /** The link that it belongs to. Told on the event loop of this connection. */
    interface Owner {
        /** The piece has been handed over to the connection as a whole. */
        void settled(int piece);

        /** These were sent since it was told last. */
        void sent(MessagesSent messages);

        /** Something went wrong that is a defect of this process. */
        void crashed(Throwable defect);

        /** It has ended, or the peer broke the protocol; not told after {@link #close}. */
        void ended(String why, boolean mayReturn);
    }

    /** A connection whose greetings are over. */
    SideConnection(int rank, Channel channel, Distance distance, SendRate rate, Owner owner) {
        this.channel = channel;
        this.owner = owner;
        this.yields = rate.yields();
        this.writer = new FrameWriter(channel, new ReadGate(channel.eventLoop(), () -> {}));
        this.sender = new BlockSender(rank, writer, SendWindow.at(distance, channel), rate, this::left);
    }

    private void run(Runnable work) {
        Sockets.runIn(channel.eventLoop(), work);
    }

    /**
     * Begins to read; called once.
     *
     * @param idleTimeout it ends when the peer's system was silent for so long
     */
    void open(Duration idleTimeout) {
        run(() -> {
            // This connection has no keep-alive messages.
            Liveness.watchSystem(channel, idleTimeout);
            if (channel.pipeline().get(SslHandler.class) != null) {
                PlacedReceive.large(channel);
            } else {
                PlacedReceive.direct(channel, reader::place);
            }
            channel.pipeline().addLast("frames", reader).addLast("end", new ConnectionEnd(this::crashed, this::ended));
            HandOver.earlyBytes(channel);
            reader.start();
            if (yields) {
                YieldingPace.begin(channel);
            }
            if (!channel.isActive()) {
                ended("its connection ended");
            }
        });
    }

    /** A multicast begins; pieces of earlier ones that still come are dropped. */
    void begin(Begin begin, Transfer next, int peerNumber) {
        beginnings.add(new Beginning(begin, next, peerNumber));
        run(() -> {
            if (closed) {
                beginnings.clear();
                return;
            }
            takeBeginnings();
            // The sender drops what is left of the multicast before.
            gone += sender.waitingPieces();
            sender.begin(next);
            writer.write(begin, next.codec());
            writer.flush();
            publish();
        });
    }

    /** The loop may be busy: pieces that this node has asked for come before it runs the rest of {@link #begin}. */
    private void takeBeginnings() {
        for (Beginning next = beginnings.poll(); next != null; next = beginnings.poll()) {
            incoming.begin(next.begin, next.transfer.codec());
            transfer = next.transfer;
            number = next.peerNumber;
        }
    }

    /** Sends a piece after those that were added before. */
    void add(int piece) {
        run(() -> {
            if (!closed) {
                sender.add(piece);
                writer.flush();
            }
        });
    }

    /** Takes back a piece that has not begun to leave, if it was added here. */
    void cancel(int piece) {
        run(() -> {
            int before = sender.waitingPieces();
            sender.cancel(piece);
            gone += before - sender.waitingPieces();
            publish();
        });
    }

    /** Nothing is sent or received any more, and the owner hears nothing more, until {@link #close}. */
    void finish() {
        run(() -> {
            closed = true;
            sender.close();
            reader.discard();
        });
    }

    /** Ends it; the owner hears nothing more. */
    void close() {
        run(() -> {
            closed = true;
            sender.close();
            writer.close();
            channel.close();
        });
    }

    Counts counts() {
        return counts;
    }

    /** Bytes that have come. */
    long readBytes() {
        return reader.readBytes();
    }

    /** Whether it is not read, since there is no place for a block. */
    boolean isStopped() {
        return reader.isStopped();
    }

    private void left(int piece) {
        gone++;
        owner.settled(piece);
        publish();
    }

    private void publish() {
        owner.sent(writer.takeMessages());
        counts = new Counts(gone, sender.totalSentBytes());
    }

    private void crashed(Throwable defect) {
        if (!closed) {
            owner.crashed(defect);
        }
    }

    private void ended(String why) {
        end(why, /* mayReturn= */ true);
    }

    private void end(String why, boolean mayReturn) {
        if (!closed) {
            if (mayReturn) {
                close();
            } else {
                // The peer is to read why over the first connection, which would end with this one.
                finish();
            }
            owner.ended(why, mayReturn);
        }
    }

    @Override
    public boolean mayRead() {
        return true;
    }

    @Override
    public MessageCodec codec() {
        takeBeginnings();
        return incoming.current();
    }

    @Override
    public void received(Message message) {
        switch (message.type()) {
            case BEGIN -> incoming.peerBegins((Begin) message);
            case KEEP_ALIVE -> {
                // Its arrival is all it says.
            }
            default -> violated("it sent " + message.type() + " on a connection for pieces");
        }
    }

    @Override
    public BlockPlace placeFor(PieceBlock block, BlockReader blocks) {
        Transfer current = transfer;
        return incoming.matches() && current != null
                ? current.intake().placeFor(number, block, blocks)
                : BlockPlace.DISCARD;
    }

    @Override
    public void blockReceived(PieceBlock block) {
        Transfer current = transfer;
        if (incoming.matches() && current != null) {
            current.blockReceived(number, block);
        }
    }

    @Override
    public void violated(String why) {
        end("it broke the protocol: " + why, /* mayReturn= */ false);
    }
}

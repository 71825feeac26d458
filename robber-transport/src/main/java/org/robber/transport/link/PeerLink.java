package org.robber.transport.link;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.Message;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.protocol.Message.PieceBlock;
import org.robber.core.wire.MessageCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to one peer, kept from multicast to multicast. All methods but {@link #rank} and those that end it belong
 * to the connection's event loop.
 */
public final class PeerLink implements FrameSink {
    private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);

    /** How often a node says that it is alive in the time in which it has to. */
    private static final int BEATS = 4;

    private final int rank;
    private final Channel channel;
    private final Listener listener;
    private final BlockSender sender;
    private final boolean encrypted;

    private MessageCodec codec = MessageCodec.betweenMulticasts();
    private @Nullable Transfer transfer;
    private @Nullable Begin ours;
    private @Nullable Begin theirs;
    private @Nullable ScheduledFuture<?> heartbeat;
    private @Nullable ScheduledFuture<?> stallLooks;
    /** Which of the nodes of the multicast it is: its rank, unless nodes were lost before. */
    private int number;

    private int silentBeats;
    private boolean wrote;
    private boolean closing;
    private boolean flushDue;
    private long controlBytesSent;
    private long blockBytesSent;
    private boolean stalled;
    private long readBytesAtStall;

    /** Told what concerns more than one multicast. */
    public interface Listener {
        /** The peer began another multicast than we. */
        void mismatch(PeerLink link, Begin ours, Begin theirs);

        /**
         * The connection ended, or the peer broke the protocol or fell silent; not told after {@link #close}.
         *
         * @param mayReturn whether it may be of use to connect again
         */
        void lost(PeerLink link, String why, boolean mayReturn);

        /** The peer said that it wants no more of us, or of the job; the connection has ended. */
        void abandoned(PeerLink link, int code, String why);
    }

    /**
     * A connection on which nothing was said yet but greetings.
     *
     * @param distance how far the peer is away: decides in what portions pieces are sent
     */
    public PeerLink(int rank, Channel channel, Distance distance, Listener listener) {
        this.rank = rank;
        this.channel = channel;
        this.listener = listener;
        this.encrypted = channel.pipeline().get(SslHandler.class) != null;
        // A whole piece would be enciphered at once, and hold up everything else that long.
        Distance portions = encrypted && distance == Distance.SAME_MACHINE ? Distance.SAME_CLUSTER : distance;
        this.sender = new BlockSender(this, SendAhead.at(portions, channel));
    }

    /**
     * Takes over the connection, whose greetings are over.
     *
     * @param idleTimeout how long the peer may say nothing, not even that it is alive
     * @param stallTimeout how long a peer that owes pieces may send nothing until others are asked for them
     */
    public void open(Duration idleTimeout, Duration stallTimeout) {
        FrameReader reader = new FrameReader(this);
        long beatMillis = Math.max(1, idleTimeout.toMillis() / BEATS);
        heartbeat = channel.eventLoop()
                .scheduleWithFixedDelay(() -> beat(reader, idleTimeout), beatMillis, beatMillis, TimeUnit.MILLISECONDS);
        StallWatch watch = new StallWatch();
        long lookMillis = Math.max(1, stallTimeout.toMillis() / StallWatch.LOOKS);
        stallLooks = channel.eventLoop()
                .scheduleWithFixedDelay(() -> look(watch, reader), lookMillis, lookMillis, TimeUnit.MILLISECONDS);
        if (encrypted) {
            PlacedReceive.encrypted(channel);
        } else {
            PlacedReceive.direct(channel, reader::place);
        }
        channel.pipeline().addLast("frames", reader).addLast("end", new End());
        EarlyBytes.handOver(channel.pipeline());
        channel.config().setAutoRead(true);
    }

    public int rank() {
        return rank;
    }

    public Channel channel() {
        return channel;
    }

    /**
     * Says that we are alive if there was nothing else to say, and looks whether the peer is. Beats are counted, not time:
     * who was stopped itself must not blame others for the silence.
     */
    private void beat(FrameReader reader, Duration idleTimeout) {
        if (!wrote && channel.isWritable()) {
            send(new Message.KeepAlive());
            flush();
        }
        wrote = false;
        silentBeats = reader.takeHeard() ? 0 : silentBeats + 1;
        if (silentBeats > BEATS) {
            lost("it said nothing for " + idleTimeout.toMillis() / 1e3 + " s", /* mayReturn= */ true);
        }
    }

    private void look(StallWatch watch, FrameReader reader) {
        Transfer current = transfer;
        if (stalled && current != null && reader.readBytes() != readBytesAtStall) {
            stalled = false;
            current.peerRevived(number);
        }
        boolean owes =
                current != null && !reader.isWaiting() && current.intake().isOwedBy(number);
        if (watch.look(owes, reader.heardBytes(), blockBytesSent) && current != null) {
            LOG.debug("rank {} owes pieces and sends nothing: asks others", rank);
            stalled = true;
            readBytesAtStall = reader.readBytes();
            current.peerStalled(number);
        }
    }

    /**
     * Begins a multicast: tells the peer, which is ready once it has told us the same.
     *
     * @param peerNumber by which the transfer knows the peer
     */
    @SuppressWarnings("ReferenceEquality") // this very transfer
    public void begin(Begin begin, Transfer next, int peerNumber) {
        if (closing) {
            next.peerLost(peerNumber, this);
            return;
        }
        if (transfer == next) {
            // Said when the connection was new.
            return;
        }
        number = peerNumber;
        stalled = false;
        next.attach(peerNumber, this);
        transfer = next;
        codec = next.codec();
        ours = begin;
        sender.begin(next);
        send(begin);
        flush();
        matchBegins();
    }

    private void matchBegins() {
        Begin mine = ours;
        Begin other = theirs;
        Transfer current = transfer;
        if (mine == null || other == null || current == null || other.sequence() > mine.sequence()) {
            return;
        }
        theirs = null;
        if (mine.equals(other)) {
            current.peerReady(number);
        } else if (other.sequence() == mine.sequence()) {
            listener.mismatch(this, mine, other);
        }
    }

    /** Writes a message; it leaves with the next {@link #flush}. */
    void send(Message message) {
        if (closing) {
            return;
        }
        wrote = true;
        int bytes = codec.encodedBytes(message);
        ByteBuf frame = channel.alloc().ioBuffer(bytes, bytes);
        codec.encode(message, frame.internalNioBuffer(0, bytes));
        channel.write(frame.writerIndex(bytes), channel.voidPromise());
        controlBytesSent += bytes;
        flushDue = true;
    }

    /** Writes the head of a block and the block. */
    ChannelFuture sendBlock(PieceBlock head, Object bytes) {
        int headBytes = codec.encodedBytes(head);
        ByteBuf frame = channel.alloc().ioBuffer(headBytes, headBytes);
        codec.encode(head, frame.internalNioBuffer(0, headBytes));
        channel.write(frame.writerIndex(headBytes), channel.voidPromise());
        controlBytesSent += headBytes;
        flushDue = true;
        wrote = true;
        return channel.write(bytes);
    }

    /** Bytes of a block have left. */
    void blockSent(Transfer of, int bytes) {
        blockBytesSent += bytes;
        of.sent(rank, bytes);
    }

    /** Sends a piece after those that were asked for before. */
    void sendPiece(int piece) {
        sender.add(piece);
    }

    /** Takes back a piece that has not begun to leave. */
    void cancelPiece(int piece) {
        sender.cancel(piece);
    }

    /** Lets everything written leave. */
    void flush() {
        if (flushDue) {
            flushDue = false;
            channel.flush();
        }
    }

    /** Bytes sent, since this was last asked, that are not bytes of pieces. */
    public long takeControlBytesSent() {
        long bytes = controlBytesSent;
        controlBytesSent = 0;
        return bytes;
    }

    /** Closes the connection; the listener hears nothing more. Any thread. */
    public void close() {
        channel.eventLoop().execute(this::end);
    }

    /** As {@link #close}, and tells the peer why it should not come again. Any thread. */
    public void abort(int code, String why) {
        channel.eventLoop().execute(() -> {
            send(new Message.Abort(code, why));
            flush();
            end();
        });
    }

    /** The peer is lost to the job, or another connection to it takes the place of this one. Any thread. */
    public void replace(Runnable then) {
        channel.eventLoop().execute(() -> {
            if (!closing) {
                end();
                tellTransfer();
            }
            then.run();
        });
    }

    private void end() {
        closing = true;
        if (heartbeat != null) {
            heartbeat.cancel(false);
        }
        if (stallLooks != null) {
            stallLooks.cancel(false);
        }
        sender.close();
        channel.close();
        Transfer current = transfer;
        if (current != null) {
            current.intake().forgetAllFrom(number);
        }
    }

    private void tellTransfer() {
        Transfer current = transfer;
        if (current != null) {
            current.peerLost(number, this);
        }
    }

    @Override
    public MessageCodec codec() {
        return codec;
    }

    @Override
    public void received(Message message) {
        switch (message.type()) {
            case BEGIN -> {
                theirs = (Begin) message;
                matchBegins();
            }
            case KEEP_ALIVE -> {
                // Its arrival is all it says.
            }
            case ABORT -> abandoned((Message.Abort) message);
            default -> {
                Transfer current = transfer;
                if (current == null) {
                    violated("it sent " + message.type() + " before any multicast");
                } else {
                    current.received(number, message);
                }
            }
        }
    }

    @Override
    public BlockPlace placeFor(PieceBlock block, BlockReader reader) {
        Transfer current = transfer;
        return current == null ? BlockPlace.DISCARD : current.intake().placeFor(number, block, reader);
    }

    @Override
    public void blockReceived(PieceBlock block) {
        Transfer current = transfer;
        if (current != null) {
            current.blockReceived(number, block);
        }
    }

    @Override
    public void violated(String why) {
        lost("it broke the protocol: " + why, /* mayReturn= */ false);
    }

    private void lost(String why, boolean mayReturn) {
        if (!closing) {
            end();
            tellTransfer();
            listener.lost(this, why, mayReturn);
        }
    }

    private void abandoned(Message.Abort abort) {
        if (!closing) {
            end();
            tellTransfer();
            listener.abandoned(this, abort.code(), abort.reason());
        }
    }

    /** The end of the pipeline: what becomes of the connection. */
    private final class End extends ChannelInboundHandlerAdapter {
        @Override
        public void channelInactive(ChannelHandlerContext context) {
            lost("its connection ended", /* mayReturn= */ true);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
            // What TLS throws comes wrapped.
            Throwable cause =
                    thrown instanceof DecoderException && thrown.getCause() != null ? thrown.getCause() : thrown;
            Transfer current = transfer;
            if (current != null && !closing && !(cause instanceof IOException)) {
                // Nothing that the peer did: it must not be blamed for what is missing or wrong here.
                current.crashed(cause);
            }
            lost("its connection broke: " + cause.getMessage(), /* mayReturn= */ true);
        }
    }
}

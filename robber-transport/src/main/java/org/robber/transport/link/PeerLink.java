package org.robber.transport.link;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.Message;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.protocol.Message.PieceBlock;
import org.robber.core.wire.MessageCodec;

/**
 * The connection to one peer, kept from multicast to multicast. All methods but {@link #rank} and {@link #close} belong
 * to the connection's event loop.
 */
public final class PeerLink implements FrameSink {
    private final int rank;
    private final Channel channel;
    private final Listener listener;
    private final BlockSender sender;

    private MessageCodec codec = MessageCodec.betweenMulticasts();
    private @Nullable Transfer transfer;
    private @Nullable Begin ours;
    private @Nullable Begin theirs;
    private boolean closing;
    private boolean flushDue;
    private long controlBytesSent;

    /** Told what concerns more than one multicast. */
    public interface Listener {
        /** The peer began another multicast than we. */
        void mismatch(PeerLink link, Begin ours, Begin theirs);

        /** The connection ended, or the peer broke the protocol; not told after {@link #close}. */
        void lost(PeerLink link, String why);
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
        this.sender = new BlockSender(this, SendAhead.at(distance, channel));
    }

    /** Takes over the connection, whose greetings are over. */
    public void open() {
        FrameReader reader = new FrameReader(this);
        PlacedReceive.direct(channel, reader::place);
        channel.pipeline().addLast("frames", reader).addLast("end", new End());
        channel.config().setAutoRead(true);
    }

    public int rank() {
        return rank;
    }

    public Channel channel() {
        return channel;
    }

    /** Begins a multicast: tells the peer, which is ready once it has told us the same. */
    public void begin(Begin begin, Transfer next) {
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
            current.peerReady(rank);
        } else {
            listener.mismatch(this, mine, other);
        }
    }

    /** Writes a message; it leaves with the next {@link #flush}. */
    void send(Message message) {
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
        return channel.write(bytes);
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
        channel.eventLoop().execute(() -> {
            closing = true;
            sender.close();
            channel.close();
        });
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
            case ABORT -> violated("it gave up: " + ((Message.Abort) message).reason());
            default -> {
                Transfer current = transfer;
                if (current == null) {
                    violated("it sent " + message.type() + " before any multicast");
                } else {
                    current.received(rank, message);
                }
            }
        }
    }

    @Override
    public BlockPlace placeFor(PieceBlock block, Runnable resume) {
        Transfer current = transfer;
        return current == null ? BlockPlace.DISCARD : current.intake().placeFor(rank, block, resume);
    }

    @Override
    public void blockReceived(PieceBlock block) {
        Transfer current = transfer;
        if (current != null) {
            current.blockReceived(block);
        }
    }

    @Override
    public void violated(String why) {
        lost("it broke the protocol: " + why);
    }

    private void lost(String why) {
        if (!closing) {
            closing = true;
            sender.close();
            channel.close();
            listener.lost(this, why);
        }
    }

    /** The end of the pipeline: what becomes of the connection. */
    private final class End extends ChannelInboundHandlerAdapter {
        @Override
        public void channelInactive(ChannelHandlerContext context) {
            lost("its connection ended");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            Transfer current = transfer;
            if (current != null && !closing && !(cause instanceof IOException)) {
                // Nothing that the peer did: it must not be blamed for what is missing or wrong here.
                current.crashed(cause);
            }
            lost("its connection broke: " + cause.getMessage());
        }
    }
}

package org.robber.transport.link;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.ssl.SslHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException.Reason;
import org.robber.core.node.Action;
import org.robber.core.protocol.Message;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.protocol.MessageType;
import org.robber.transport.link.frame.FrameReader;
import org.robber.transport.link.frame.FrameWriter;
import org.robber.transport.link.frame.MessagesSent;
import org.robber.transport.link.frame.ReadGate;
import org.robber.transport.link.pace.Distance;
import org.robber.transport.link.pace.SendRate;
import org.robber.transport.link.pace.SendWindow;
import org.robber.transport.link.pace.WindowWatch;
import org.robber.transport.link.pace.YieldingPace;
import org.robber.transport.reach.HandOver;
import org.robber.transport.reach.PlacedReceive;
import org.robber.transport.sockets.Sockets;

/**
 * The connection to one peer, kept from multicast to multicast. Belongs to the connection's event loop; methods that any thread may call
 * say so.
 */
public final class PeerLink {
    /** How long the peer has to read the last message of a connection that this node ends. */
    private static final long FINISH_LIMIT_SECONDS = 5;

    /** Connections to a peer beside the first, at most. */
    public static final int MOST_SIDES = WindowWatch.MOST;

    static final String TOO_MANY_REQUESTS = "it has more requests unanswered than its strategy makes";

    private final int rank;
    private final Channel channel;
    private final LinkListener listener;
    private final FrameWriter writer;
    private final BlockSender sender;
    private final LinkSession session;
    private final ReadGate gate;
    private final boolean encrypted;
    private final Distance distance;
    private final SendRate rate;
    private final SideConnections sides;

    private @Nullable PeerWatch watch;
    private @Nullable FrameReader reader;
    private @Nullable WindowWatch windowWatch;
    private boolean closing;

    /**
     * A connection on which nothing was sent yet but greetings.
     *
     * @param distance how far the peer is away: decides in what portions pieces are sent
     * @param rate how fast pieces may be sent
     */
    public PeerLink(int rank, Channel channel, Distance distance, SendRate rate, LinkListener listener) {
        this.rank = rank;
        this.channel = channel;
        this.listener = listener;
        this.gate = new ReadGate(channel.eventLoop(), this::readOn);
        this.session = new LinkSession(this, gate, listener);
        this.writer = new FrameWriter(channel, gate);
        this.encrypted = channel.pipeline().get(SslHandler.class) != null;
        this.distance = distance;
        this.rate = rate;
        this.sides = new SideConnections(channel.eventLoop(), session::settled, this::crashed, this::sideEnded);
        // A whole piece would be encrypted in one go, and everything else would wait.
        Distance portions = encrypted && distance == Distance.SAME_MACHINE ? Distance.SAME_CLUSTER : distance;
        this.sender = new BlockSender(rank, writer, SendWindow.at(portions, channel), rate, this::pieceLeft);
    }

    /**
     * Takes over the connection, whose greetings are over.
     *
     * @param idleTimeout how long the peer may send nothing, not even a keep-alive
     * @param stallTimeout how long a peer that owes pieces may send nothing until others are asked for them
     */
    public void open(Duration idleTimeout, Duration stallTimeout) {
        requireLoop();
        FrameReader frames = new FrameReader(session);
        reader = frames;
        watch = new PeerWatch(this, session, frames, gate, idleTimeout, stallTimeout);
        if (encrypted) {
            PlacedReceive.large(channel);
        } else {
            PlacedReceive.direct(channel, frames::place);
        }
        channel.pipeline().addLast("frames", frames).addLast("end", new ConnectionEnd(this::crashed, this::lost));
        HandOver.earlyBytes(channel);
        frames.start();
        if (rate.yields() && distance != Distance.SAME_MACHINE) {
            YieldingPace.begin(channel);
        }
        if (!channel.isActive()) {
            // It ended before this handler could hear of it.
            lost("its connection ended");
        }
    }

    /** The rank of the peer. Any thread. */
    public int rank() {
        return rank;
    }

    private void crashed(Throwable defect) {
        if (!closing) {
            session.crashed(defect);
        }
    }

    /** The connection itself. Any thread. */
    public Channel channel() {
        return channel;
    }

    /** Other threads would change the state of a connection while its loop uses it. */
    private void requireLoop() {
        if (!channel.eventLoop().inEventLoop()) {
            throw new IllegalStateException(
                    Thread.currentThread().getName() + " is not the event loop of the connection to rank " + rank);
        }
    }

    private void readOn() {
        if (reader != null && !closing) {
            reader.resume();
        }
    }

    /** Sends a keep-alive if nothing else was sent. */
    void keepAlive() {
        if (!writer.hasWritten() && channel.isWritable()) {
            write(new Message.KeepAlive());
            flush();
        }
        writer.forgetWritten();
    }

    /**
     * Begins a multicast and tells the peer, which is ready once it has begun the same.
     *
     * @param peerNumber by which the transfer knows the peer
     */
    public void begin(Begin begin, Transfer next, int peerNumber) {
        requireLoop();
        if (closing) {
            next.links().detach(peerNumber, this);
            return;
        }
        if (session.serves(next.links())) {
            // It was begun when the connection was new.
            return;
        }
        if (watch != null) {
            watch.begin();
        }
        session.begin(begin, next, peerNumber);
        gate.begin(next.codec().maxFrameBytes(MessageType.BITFIELD.code()));
        sender.begin(next);
        sides.begin(begin, next, peerNumber);
        write(begin);
        flush();
        session.match();
    }

    /** The multicast has ended at this node, because every node has everything. */
    public void ended(Begin begin) {
        requireLoop();
        if (!closing) {
            session.ended(begin);
        }
    }

    /** Performs an action of a machine, unless the connection serves another transfer by now. */
    void perform(Action action, TransferLinks by) {
        requireLoop();
        if (closing || !session.serves(by)) {
            return;
        }
        if (action instanceof Action.Send send) {
            send(send.message());
        } else if (action instanceof Action.SendPiece send) {
            sendPiece(send.piece());
        } else if (action instanceof Action.CancelPiece cancel) {
            cancelPiece(cancel.piece());
        }
    }

    /** Writes a message of the machine; it leaves with the next {@link #flush}, or soon after if it is not urgent. */
    void send(Message message) {
        requireLoop();
        if (closing || session.isOver()) {
            return;
        }
        session.says(message);
        if (message instanceof Message.Reject reject) {
            session.settled(reject.piece());
        }
        if (message instanceof Message.Have) {
            // A peer that wants this piece mostly has others to request meanwhile.
            writer.writeUnhurried(message, session.ownCodec());
        } else {
            write(message);
        }
    }

    /** Writes a message that is no answer to the peer's requests; it leaves with the next {@link #flush}. */
    void write(Message message) {
        writer.write(message, session.ownCodec());
    }

    /** Bytes that have left so far; grows whenever the peer reads. */
    long leftBytes() {
        ChannelOutboundBuffer pending = channel.unsafe().outboundBuffer();
        return gate.leftBytes() + sender.totalSentBytes() + (pending == null ? 0 : pending.currentProgress());
    }

    /** Bytes of pieces that have left. */
    long blockBytesSent() {
        return sender.totalSentBytes() + sides.sentBytes();
    }

    /**
     * Asks for further connections while the buffers of the first hold it back. On a long line some are asked for at once, unless this job yields to others.
     *
     * @param sharing connections that share the line to the cluster of the peer, this one included
     * @param more asked for each, by its number from 1
     */
    public void widen(int sharing, IntConsumer more) {
        requireLoop();
        if (distance == Distance.OTHER_CLUSTER) {
            windowWatch = WindowWatch.of(channel, more);
            if (windowWatch != null && !rate.yields()) {
                windowWatch.share(sharing);
            }
        }
    }

    private void pieceLeft(int piece) {
        session.settled(piece);
        bytesMoved();
    }

    /** A piece has left on this connection, or a block has come. */
    void bytesMoved() {
        if (windowWatch != null && reader != null) {
            windowWatch.moved(sender.totalSentBytes() + reader.readBytes());
        }
    }

    /**
     * Sends and receives pieces on this connection, too. Any thread.
     *
     * @param idleTimeout how long the peer's system may be silent on it
     */
    public void addSide(Channel side, Duration idleTimeout) {
        if (!Sockets.runOn(channel.eventLoop(), () -> sides.add(rank, side, distance, rate, idleTimeout))) {
            side.close();
        }
    }

    SideConnections sides() {
        return sides;
    }

    /** Sends a piece after those that were asked for before. */
    void sendPiece(int piece) {
        requireLoop();
        if (!sides.send(piece, sender.waitingPieces())) {
            sender.add(piece);
        }
        // On each further connection, a piece may be leaving that the peer has cancelled.
        if (!session.maySend(sender.waitingPieces() + sides.waitingPieces() - sides.count())) {
            violated(TOO_MANY_REQUESTS);
        }
    }

    /** Takes back a piece that has not begun to leave. */
    void cancelPiece(int piece) {
        requireLoop();
        sender.cancel(piece);
        sides.cancel(piece);
    }

    /** Lets everything written leave. */
    void flush() {
        requireLoop();
        writer.flush();
    }

    /** What was sent beside the bytes of pieces since this was last asked. */
    public MessagesSent takeMessagesSent() {
        return writer.takeMessages().plus(sides.takeMessages());
    }

    /** Closes the connection; the listener hears nothing more. Any thread. */
    public void close() {
        channel.eventLoop().execute(this::end);
    }

    /**
     * As {@link #close}, and tells the peer why it should not connect again. The connection stays open until the peer has read that and
     * closes it, at most {@value #FINISH_LIMIT_SECONDS} s. Any thread.
     */
    public void abort(int code, String why) {
        channel.eventLoop().execute(() -> {
            if (!closing) {
                endAfter(new Message.Abort(code, why));
            }
        });
    }

    /** Ends all but the connection itself, which ends once the peer has read the message. */
    private void endAfter(Message.Abort last) {
        write(last);
        stop();
        writer.finish();
        if (reader != null) {
            // A connection that is closed with unread input is reset, and the peer would lose what it has not read.
            reader.discard();
        }
        // The end of one of these would end the first connection at the peer, and with it the message.
        sides.finish();
        channel.closeFuture().addListener(closed -> sides.close());
        var unused = channel.eventLoop().schedule(() -> channel.close(), FINISH_LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    /** The peer is lost to the job, or another connection to it takes the place of this one. Any thread. */
    public void replace(Runnable then) {
        channel.eventLoop().execute(() -> {
            if (!closing) {
                end();
                session.lost();
            }
            then.run();
        });
    }

    /**
     * Opens this connection once the earlier one to the same peer, whose place it takes, has ended: the peer may have noticed that
     * first. Any thread.
     *
     * @param open run on the event loop of this connection
     */
    public void takeOver(@Nullable PeerLink earlier, Runnable open) {
        Runnable opening = () -> channel.eventLoop().execute(open);
        if (earlier == null) {
            opening.run();
        } else {
            earlier.replace(opening);
        }
    }

    private void end() {
        stop();
        sides.close();
        writer.close();
        channel.close();
    }

    /** Ends all but the connection itself. */
    private void stop() {
        closing = true;
        if (watch != null) {
            watch.stop();
        }
        sender.close();
    }

    /** The peer broke the protocol. It is told so, and does not connect again. */
    void violated(String why) {
        breached("it broke the protocol: " + why);
    }

    private void sideEnded(String why, boolean mayReturn) {
        if (mayReturn) {
            lost(why);
        } else {
            breached(why);
        }
    }

    private void breached(String breach) {
        if (!closing) {
            endAfter(new Message.Abort(Reason.INTEGRITY.exitCode(), breach));
            session.lost();
            listener.lost(this, breach, /* mayReturn= */ false);
        }
    }

    /** The connection is gone, and may be made again. */
    void lost(String why) {
        if (!closing) {
            end();
            session.lost();
            listener.lost(this, why, /* mayReturn= */ true);
        }
    }

    /** The peer has aborted. */
    void abandoned(Message.Abort abort) {
        if (!closing) {
            end();
            session.lost();
            listener.abandoned(this, abort.code(), abort.reason());
        }
    }
}

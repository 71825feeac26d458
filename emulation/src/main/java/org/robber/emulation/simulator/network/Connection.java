package org.robber.emulation.simulator.network;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.Message;
import org.robber.emulation.simulator.agenda.ScheduledEvent;

/**
 * One direction of the connection between two peers. Carries a stream of bytes, in order, segment by segment, as far as its window
 * and the sender's card allow.
 */
public final class Connection {
    /** Segments of one connection at the sender's card: cards serve connections in turn. */
    private static final int SEGMENTS_AT_CARD = 1;

    private final Network network;
    private final int fromRank;
    private final int toRank;
    private final Receiver receiver;
    private final Route route;
    private final @Nullable Link link;
    private final @Nullable CongestionWindow window;
    private final int segmentBytes;
    private final Connection back;

    private final SendBuffer buffer;
    private long onTheWayBytes;
    private int atCard;
    private long lastTailNanos;
    private boolean closed;
    private boolean ended;
    private boolean paused;

    /**
     * One direction. Each knows the other from the start, so the first makes the second.
     *
     * @param back makes or knows the other direction
     */
    private Connection(
            Network network,
            int fromRank,
            int toRank,
            Receiver receiver,
            Route route,
            Function<Connection, Connection> back) {
        this.network = network;
        this.fromRank = fromRank;
        this.toRank = toRank;
        this.receiver = receiver;
        this.route = route;
        this.link = route.link();
        this.window = link == null ? null : network.newWindow();
        this.segmentBytes = network.segmentBytes(route.stages().length == 0);
        this.buffer = new SendBuffer(network);
        this.back = back.apply(this);
    }

    /** Both directions between two nodes; returns that from the lower rank. */
    static Connection pair(
            Network network, int lowRank, int highRank, Receiver low, Receiver high, Route up, Route down) {
        return new Connection(
                network,
                lowRank,
                highRank,
                high,
                up,
                there -> new Connection(network, highRank, lowRank, low, down, back -> there));
    }

    /** The sender. */
    public int fromRank() {
        return fromRank;
    }

    /** The receiver. */
    public int toRank() {
        return toRank;
    }

    /** Whether it leads to another cluster. */
    public boolean leavesCluster() {
        return link != null;
    }

    /** Bytes given to it that are not bytes of pieces. */
    public long controlBytes() {
        return buffer.controlBytes();
    }

    /** Sends a message. */
    public void send(Message message) {
        if (!closed) {
            buffer.add(message);
            pump();
        }
    }

    /** Sends a piece after those that were requested before. */
    public void sendPiece(int nextPiece) {
        if (!closed) {
            buffer.addPiece(nextPiece);
            pump();
        }
    }

    /** Takes back a piece that has not begun to leave. */
    public void cancelPiece(int cancelledPiece) {
        buffer.cancelPiece(cancelledPiece);
    }

    /** Ends both directions: data on their way arrive, and then the peer is told. */
    public void end(long detectionNanos) {
        close();
        back.ended = true;
        back.close();
        network.agenda().put(new End(), network.agenda().nowNanos() + detectionNanos + delayNanos());
    }

    /** The sender has ended the connection. */
    private final class End extends ScheduledEvent {
        @Override
        protected void happen(long nowNanos) {
            ended = true;
            receiver.ended(Connection.this);
        }
    }

    private void close() {
        closed = true;
        buffer.clear();
    }

    /** Sends nothing until {@link #resume}. */
    public void pause() {
        paused = true;
    }

    /** Continues. */
    public void resume() {
        paused = false;
        pump();
    }

    /** The other direction. */
    public Connection back() {
        return back;
    }

    private void pump() {
        while (!paused) {
            buffer.handOverBlocks(network.options().aheadBytes());
            if (buffer.unsentBytes() == 0 || !maySend()) {
                return;
            }
            send();
        }
    }

    /** Messages alone are too small for windows to matter. */
    private boolean maySend() {
        if (!buffer.hasBlocks()) {
            return true;
        }
        if (route.startsAtCard() && atCard >= SEGMENTS_AT_CARD) {
            return false;
        }
        // At least a quarter of a segment: a window that is nearly full would cut the stream into tiny segments.
        return onTheWayBytes == 0
                || windowBytes() - onTheWayBytes >= Math.min(buffer.unsentBytes(), segmentBytes() / 4);
    }

    private long windowBytes() {
        return window == null || link == null ? network.options().lanWindowBytes() : window.bytes();
    }

    /** A quarter of a window: then its growth is followed closely. */
    private long segmentBytes() {
        int largest = segmentBytes;
        return window == null ? largest : Math.min(largest, Math.max(network.leastSegmentBytes(), windowBytes() / 4));
    }

    private void send() {
        Segment segment = network.newSegment(this);
        long nowNanos = network.agenda().nowNanos();
        segment.hasData = buffer.hasBlocks();
        if (segment.hasData) {
            long room = onTheWayBytes == 0 ? segmentBytes() : Math.min(segmentBytes(), windowBytes() - onTheWayBytes);
            buffer.fill(segment, (int) room);
            if (window != null) {
                window.send(onTheWayBytes == 0, nowNanos);
            }
            onTheWayBytes += segment.streamBytes;
        } else {
            buffer.fill(segment, (int) Math.min(buffer.unsentBytes(), segmentBytes));
        }
        segment.wireBytes = wireBytes(segment.streamBytes);
        segment.marked = link != null && segment.hasData && link.strikes(segment.wireBytes);
        if (route.startsAtCard()) {
            atCard++;
        }
        segment.depart(nowNanos);
    }

    /** Lost bytes are sent again and take room, too. */
    private long wireBytes(int streamBytes) {
        int bytes = network.options().wireBytes(streamBytes);
        return link == null || link.loss() == 0 ? bytes : (long) (bytes / (1 - link.loss()));
    }

    Route route() {
        return route;
    }

    /** Moves a segment along the line; returns whether that takes an entry in the agenda. */
    boolean delay(Segment segment) {
        long delayNanos = delayNanos();
        // A delay that has become shorter lets nothing overtake.
        long tailNanos = Math.max(segment.tailNanos + delayNanos, lastTailNanos);
        lastTailNanos = tailNanos;
        segment.headNanos += delayNanos;
        segment.tailNanos = tailNanos;
        // The delay inside a cluster is short and the same for all: later stages may look ahead.
        return link != null;
    }

    private long delayNanos() {
        return link == null ? network.options().lanDelayNanos() : link.delayNanos();
    }

    void leftFirstStage() {
        if (route.startsAtCard()) {
            atCard--;
            pump();
        }
    }

    /** A segment has arrived. */
    void deliver(Segment segment, long nowNanos) {
        for (StreamItem item = segment.firstItem; item != null && !ended; item = item.next) {
            if (item.message != null) {
                receiver.received(this, item.message, nowNanos);
            } else {
                receiver.pieceArrived(this, item.piece, item.waiting, nowNanos);
            }
        }
        segment.firstItem = null;
        if (!segment.hasData) {
            network.release(segment);
        } else if (link == null) {
            acknowledged(segment, nowNanos);
        } else {
            // Both directions lead to another cluster, or neither.
            Objects.requireNonNull(back.link).acknowledge(segment, nowNanos);
        }
    }

    /** The sender learns that the segment has arrived. */
    void acknowledged(Segment segment, long nowNanos) {
        if (window != null) {
            window.acknowledged(segment, onTheWayBytes, nowNanos);
        }
        onTheWayBytes -= segment.streamBytes;
        network.release(segment);
        pump();
    }
}

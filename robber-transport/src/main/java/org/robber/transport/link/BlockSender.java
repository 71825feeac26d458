package org.robber.transport.link;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.Message.PieceBlock;
import org.robber.transport.link.frame.FrameWriter;
import org.robber.transport.link.pace.SendRate;
import org.robber.transport.link.pace.SendWindow;
import org.robber.transport.link.piece.OutgoingPiece;

/**
 * Sends pieces to one peer in the order of its requests, cut into blocks. Only a few blocks are handed to
 * the connection at a time, so that messages don't queue behind whole pieces and a slow peer holds little memory.
 * Belongs to the connection's event loop.
 */
final class BlockSender {
    /** While one piece leaves, the next is made ready. */
    private static final int PIECES_AHEAD = 2;

    private final int rank;
    private final FrameWriter writer;
    private final SendWindow window;
    private final SendRate rate;
    private final IntConsumer sent;
    private final ArrayDeque<QueuedPiece> queue = new ArrayDeque<>();
    private @Nullable Transfer transfer;
    private boolean closed;
    private boolean pumping;
    private long totalSentBytes;

    /** Length of the next block for which there is a time to leave; 0: none. */
    private int reservedBytes;

    /** Whether that time has not come. */
    private boolean awaitsTime;

    /** A piece that was requested. */
    private static final class QueuedPiece {
        private final int piece;
        private boolean opening;
        private @Nullable OutgoingPiece bytes;
        private int sentBytes;
        private int waitingBehind;
        private int blocksUnsent;
        private boolean dropped;

        QueuedPiece(int piece) {
            this.piece = piece;
        }
    }

    /**
     * Sends to the node of this rank.
     *
     * @param rate how fast blocks may leave
     * @param sent told of each piece that has been handed over to the connection as a whole
     */
    BlockSender(int rank, FrameWriter writer, SendWindow window, SendRate rate, IntConsumer sent) {
        this.rank = rank;
        this.writer = writer;
        this.window = window;
        this.rate = rate;
        this.sent = sent;
    }

    /** Bytes of pieces that have left. */
    long totalSentBytes() {
        return totalSentBytes;
    }

    /** Number of pieces that were added and have not left as a whole. */
    int waitingPieces() {
        return queue.size();
    }

    /** Another multicast begins. Requests of the one before that the peer has not taken back need no answer. */
    void begin(Transfer next) {
        dropAll();
        transfer = next;
    }

    void add(int piece) {
        queue.add(new QueuedPiece(piece));
        pump();
    }

    void cancel(int piece) {
        for (Iterator<QueuedPiece> each = queue.iterator(); each.hasNext(); ) {
            QueuedPiece queued = each.next();
            if (queued.piece == piece && queued.sentBytes == 0) {
                each.remove();
                release(queued);
                return;
            }
        }
    }

    private void pump() {
        Transfer current = transfer;
        // A connection that has just ended refuses a block at once, in the middle of this.
        if (closed || current == null || pumping) {
            return;
        }
        pumping = true;
        try {
            sendBlocks(current);
        } finally {
            pumping = false;
        }
    }

    private void sendBlocks(Transfer current) {
        openAhead(current);
        for (QueuedPiece first = queue.peek(); first != null; first = queue.peek()) {
            OutgoingPiece bytes = first.bytes;
            if (bytes == null || !window.hasRoom() || !mayLeave(bytes.lengthBytes() - first.sentBytes)) {
                return;
            }
            sendBlock(current, first, bytes);
            reservedBytes = 0;
            // The queue is empty if the block has ended the connection.
            if (first.sentBytes == bytes.lengthBytes() && queue.remove(first)) {
                sent.accept(first.piece);
                openAhead(current);
            }
        }
    }

    /** Whether the next block may leave now; if not, {@link #pump} runs again when it may. */
    private boolean mayLeave(int bytesLeft) {
        if (reservedBytes == 0) {
            reservedBytes = Math.min(rate.blockBytes(window.blockBytes()), bytesLeft);
            long delayNanos = rate.reserve(reservedBytes, System.nanoTime());
            if (delayNanos > 0) {
                awaitsTime = true;
                writer.eventLoop().schedule(this::timeHasCome, delayNanos, TimeUnit.NANOSECONDS);
            }
        }
        return !awaitsTime;
    }

    private void timeHasCome() {
        awaitsTime = false;
        pump();
        writer.flush();
    }

    private void openAhead(Transfer current) {
        int open = 0;
        for (QueuedPiece queued : queue) {
            if (open++ == PIECES_AHEAD) {
                return;
            }
            if (!queued.opening) {
                queued.opening = true;
                current.supply().open(queued.piece, bytes -> opened(queued, bytes));
            }
        }
    }

    private void opened(QueuedPiece queued, OutgoingPiece bytes) {
        EventLoop loop = writer.eventLoop();
        if (!loop.inEventLoop()) {
            loop.execute(() -> {
                opened(queued, bytes);
                pump();
                writer.flush();
            });
            return;
        }
        queued.bytes = bytes;
        if (closed || !queue.contains(queued)) {
            release(queued);
        }
    }

    private void sendBlock(Transfer current, QueuedPiece queued, OutgoingPiece bytes) {
        int blockBytes = Math.min(reservedBytes, bytes.lengthBytes() - queued.sentBytes);
        if (queued.sentBytes == 0) {
            queued.waitingBehind = queue.size() - 1;
        }
        PieceBlock head =
                new PieceBlock(queued.piece, queued.sentBytes, blockBytes, queued.waitingBehind, bytes.digest());
        Object block = bytes.block(queued.sentBytes, blockBytes);
        queued.sentBytes += blockBytes;
        boolean last = queued.sentBytes == bytes.lengthBytes();
        window.handedOver(blockBytes, System.nanoTime());
        queued.blocksUnsent++;
        writer.writeBlock(head, block, current.codec()).addListener(written -> {
            window.left(blockBytes, System.nanoTime());
            queued.blocksUnsent--;
            if (written.isSuccess()) {
                totalSentBytes += blockBytes;
                current.sent(rank, blockBytes);
            }
            if (queued.blocksUnsent == 0 && (last || queued.dropped)) {
                release(queued);
            }
            if (window.isLow()) {
                pump();
                writer.flush();
            }
        });
    }

    private static void release(QueuedPiece queued) {
        OutgoingPiece bytes = queued.bytes;
        queued.bytes = null;
        if (bytes != null) {
            bytes.release();
        }
    }

    /** Nothing more is sent. Blocks that the connection has are released when it has written or dropped them. */
    void close() {
        closed = true;
        dropAll();
    }

    private void dropAll() {
        for (QueuedPiece queued : queue) {
            queued.dropped = true;
            if (queued.blocksUnsent == 0) {
                release(queued);
            }
        }
        queue.clear();
    }
}

package org.robber.transport.link;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.Message.PieceBlock;

/**
 * Sends pieces to one peer in the order in which they were asked for, cut into blocks. Only a few blocks are handed to
 * the connection at a time, so that messages don't queue behind whole pieces and a slow peer holds little memory.
 * Belongs to the connection's event loop.
 */
final class BlockSender {
    /** While one piece leaves, the next is made ready. */
    private static final int PIECES_AHEAD = 2;

    private final int rank;
    private final FrameWriter writer;
    private final SendAhead ahead;
    private final IntConsumer sent;
    private final ArrayDeque<Departure> departures = new ArrayDeque<>();
    private @Nullable Transfer transfer;
    private boolean closed;
    private long totalSentBytes;

    /** A piece that was asked for. */
    private static final class Departure {
        private final int piece;
        private boolean opening;
        private @Nullable OutgoingPiece bytes;
        private int sentBytes;
        private int waitingBehind;
        private int blocksUnsent;

        Departure(int piece) {
            this.piece = piece;
        }
    }

    /**
     * Sends to the node of this rank.
     *
     * @param sent told of each piece that has been handed over to the connection as a whole
     */
    BlockSender(int rank, FrameWriter writer, SendAhead ahead, IntConsumer sent) {
        this.rank = rank;
        this.writer = writer;
        this.ahead = ahead;
        this.sent = sent;
    }

    /** Bytes of pieces that have left. */
    long totalSentBytes() {
        return totalSentBytes;
    }

    /** Number of pieces that were added and have not left as a whole. */
    int waitingPieces() {
        return departures.size();
    }

    void begin(Transfer next) {
        transfer = next;
    }

    void add(int piece) {
        departures.add(new Departure(piece));
        pump();
    }

    void cancel(int piece) {
        for (Iterator<Departure> each = departures.iterator(); each.hasNext(); ) {
            Departure departure = each.next();
            if (departure.piece == piece && departure.sentBytes == 0) {
                each.remove();
                release(departure);
                return;
            }
        }
    }

    private void pump() {
        Transfer current = transfer;
        if (closed || current == null) {
            return;
        }
        openAhead(current);
        for (Departure first = departures.peek(); first != null; first = departures.peek()) {
            OutgoingPiece bytes = first.bytes;
            if (bytes == null || !ahead.hasRoom()) {
                return;
            }
            sendBlock(current, first, bytes);
            if (first.sentBytes == bytes.lengthBytes()) {
                departures.remove();
                sent.accept(first.piece);
                openAhead(current);
            }
        }
    }

    private void openAhead(Transfer current) {
        int open = 0;
        for (Departure departure : departures) {
            if (open++ == PIECES_AHEAD) {
                return;
            }
            if (!departure.opening) {
                departure.opening = true;
                current.supply().open(departure.piece, bytes -> opened(departure, bytes));
            }
        }
    }

    private void opened(Departure departure, OutgoingPiece bytes) {
        EventLoop loop = writer.eventLoop();
        if (!loop.inEventLoop()) {
            loop.execute(() -> {
                opened(departure, bytes);
                pump();
                writer.flush();
            });
            return;
        }
        departure.bytes = bytes;
        if (closed || !departures.contains(departure)) {
            release(departure);
        }
    }

    private void sendBlock(Transfer current, Departure departure, OutgoingPiece bytes) {
        int blockBytes = Math.min(ahead.blockBytes(), bytes.lengthBytes() - departure.sentBytes);
        if (departure.sentBytes == 0) {
            departure.waitingBehind = departures.size() - 1;
        }
        PieceBlock head = new PieceBlock(
                departure.piece, departure.sentBytes, blockBytes, departure.waitingBehind, bytes.digest());
        Object block = bytes.block(departure.sentBytes, blockBytes);
        departure.sentBytes += blockBytes;
        boolean last = departure.sentBytes == bytes.lengthBytes();
        ahead.handedOver(blockBytes, System.nanoTime());
        departure.blocksUnsent++;
        writer.writeBlock(head, block, current.codec()).addListener(written -> {
            ahead.left(blockBytes, System.nanoTime());
            departure.blocksUnsent--;
            if (written.isSuccess()) {
                totalSentBytes += blockBytes;
                current.sent(rank, blockBytes);
            }
            if (departure.blocksUnsent == 0 && (last || closed)) {
                release(departure);
            }
            if (ahead.isLow()) {
                pump();
                writer.flush();
            }
        });
    }

    private static void release(Departure departure) {
        OutgoingPiece bytes = departure.bytes;
        departure.bytes = null;
        if (bytes != null) {
            bytes.release();
        }
    }

    /** Nothing more is sent; what is with the connection is released as the connection gives it back. */
    void close() {
        closed = true;
        for (Departure departure : departures) {
            if (departure.blocksUnsent == 0) {
                release(departure);
            }
        }
        departures.clear();
    }
}

package org.robber.emulation.simulator.network;

import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.Message;

/**
 * The queue of one connection: a stream of messages and blocks, in order, and the pieces that are not part of it yet. Messages
 * enter the stream at once. Blocks of pieces enter it only as far as the real driver would hand them to a socket, so that messages
 * do not queue behind whole pieces.
 */
final class SendBuffer {
    private final Network network;
    private final PieceQueue pieces = new PieceQueue();
    private int piece = -1;
    private int pieceOffsetBytes;
    private int waitingBehindPiece;

    private @Nullable StreamItem firstItem;
    private @Nullable StreamItem lastItem;
    private long unsentBytes;
    private long unsentBlockBytes;
    private long controlBytes;

    SendBuffer(Network network) {
        this.network = network;
    }

    /** How long the stream is. */
    long unsentBytes() {
        return unsentBytes;
    }

    /** Whether there are blocks in the stream. */
    boolean hasBlocks() {
        return unsentBlockBytes > 0;
    }

    /** Bytes that have entered the stream and are not bytes of pieces. */
    long controlBytes() {
        return controlBytes;
    }

    void add(Message message) {
        int bytes = network.codec().encodedBytes(message);
        controlBytes += bytes;
        append(StreamItem.message(message, bytes));
    }

    /** Adds a piece behind those that wait. */
    void addPiece(int nextPiece) {
        pieces.add(nextPiece);
    }

    /** Takes back a piece of which nothing is in the stream. */
    void cancelPiece(int cancelledPiece) {
        pieces.remove(cancelledPiece);
    }

    void clear() {
        pieces.clear();
        piece = -1;
        firstItem = null;
        lastItem = null;
        unsentBytes = 0;
        unsentBlockBytes = 0;
    }

    private boolean hasPieces() {
        return piece >= 0 || !pieces.isEmpty();
    }

    /** Lets blocks enter the stream until there are so many bytes of them. */
    void handOverBlocks(int aheadBytes) {
        while (unsentBlockBytes < aheadBytes && hasPieces()) {
            if (piece < 0) {
                piece = pieces.remove();
                waitingBehindPiece = pieces.size();
                pieceOffsetBytes = 0;
            }
            int pieceBytes = network.layout().lengthBytes(piece);
            int wantedBytes = network.wholeBlocks(aheadBytes - unsentBlockBytes);
            int bytes = Math.min(wantedBytes, pieceBytes - pieceOffsetBytes);
            append(piece, pieceOffsetBytes + bytes == pieceBytes, bytes);
            pieceOffsetBytes += bytes;
            if (pieceOffsetBytes == pieceBytes) {
                piece = -1;
            }
        }
    }

    /** Lets bytes of a piece enter the stream, behind those of the same piece or as a new item. */
    private void append(int itsPiece, boolean endsPiece, int bytes) {
        StreamItem item = lastItem;
        if (item == null || item.message != null || item.piece != itsPiece) {
            item = StreamItem.piece(itsPiece, waitingBehindPiece);
            append(item);
        }
        int headBytes = network.blockHeadBytes(bytes);
        controlBytes += headBytes;
        item.endsPiece = endsPiece;
        item.unsentBytes += bytes + headBytes;
        unsentBytes += bytes + headBytes;
        unsentBlockBytes += bytes + headBytes;
    }

    private void append(StreamItem item) {
        if (lastItem == null) {
            firstItem = item;
        } else {
            lastItem.next = item;
        }
        lastItem = item;
        unsentBytes += item.unsentBytes;
    }

    /** Moves bytes from the stream into a segment, which makes room for more blocks. */
    void fill(Segment segment, int roomBytes) {
        takeItems(segment, roomBytes);
        while (segment.streamBytes < roomBytes && hasPieces()) {
            handOverBlocks(Math.max(network.options().aheadBytes(), roomBytes - segment.streamBytes));
            takeItems(segment, roomBytes);
        }
    }

    private void takeItems(Segment segment, int roomBytes) {
        for (StreamItem item = firstItem; item != null && segment.streamBytes < roomBytes; item = firstItem) {
            int bytes = (int) Math.min(roomBytes - segment.streamBytes, item.unsentBytes);
            segment.streamBytes += bytes;
            unsentBytes -= bytes;
            item.unsentBytes -= bytes;
            if (item.message == null) {
                unsentBlockBytes -= bytes;
            }
            if (item.unsentBytes > 0) {
                return;
            }
            firstItem = item.next;
            if (firstItem == null) {
                lastItem = null;
            }
            if (item.message != null || item.endsPiece) {
                segment.add(item);
            }
        }
    }
}

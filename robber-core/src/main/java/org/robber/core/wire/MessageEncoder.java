package org.robber.core.wire;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkElementIndex;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.topology.Topology;

/** Writes the payloads of messages between peers. Refuses what {@link MessageDecoder} would refuse. */
final class MessageEncoder {
    private final PieceLayout layout;
    private final int digestBytes;

    MessageEncoder(PieceLayout layout, int digestBytes) {
        this.layout = layout;
        this.digestBytes = digestBytes;
    }

    /** Length of the payload, without the block of a piece. */
    int payloadBytes(Message message) {
        return switch (message.type()) {
            case BITFIELD, DESIRE, WORK -> PieceSetCodec.encodedBytes(pieces(message));
            case HAVE, REQUEST, REJECT, CANCEL -> 4;
            case STEAL -> 8;
            case FOUND_WORK, DONE, STOP, KEEP_ALIVE, CHOKE, UNCHOKE, INTERESTED, NOT_INTERESTED -> 0;
            case PIECE -> MessageCodec.pieceHeadBytes(digestBytes);
            case BEGIN -> {
                Message.Begin begin = (Message.Begin) message;
                yield 8 + 4 + 8 + 4 + nameBytes(begin.strategy()) + nameBytes(begin.digest());
            }
            case ABORT -> 4 + 2 + FieldWriter.clip(((Message.Abort) message).reason()).length;
        };
    }

    /** Writes the payload to a big-endian buffer, without the block of a piece. */
    void encodePayload(Message message, ByteBuffer out) {
        switch (message.type()) {
            case BITFIELD, DESIRE, WORK -> PieceSetCodec.encode(checkCapacity(pieces(message)), out);
            case HAVE -> out.putInt(checkPiece(((Message.Have) message).piece()));
            case REQUEST -> out.putInt(checkPiece(((Message.Request) message).piece()));
            case REJECT -> out.putInt(checkPiece(((Message.Reject) message).piece()));
            case CANCEL -> out.putInt(checkPiece(((Message.Cancel) message).piece()));
            case STEAL -> {
                Message.Steal steal = (Message.Steal) message;
                out.putInt(checkCount("piecesStolen", steal.piecesStolen()));
                out.putInt(checkCount("workPieces", steal.workPieces()));
            }
            case FOUND_WORK, DONE, STOP, KEEP_ALIVE, CHOKE, UNCHOKE, INTERESTED, NOT_INTERESTED -> {}
            case PIECE -> encodePieceHead((Message.PieceBlock) message, out);
            case BEGIN -> encodeBegin((Message.Begin) message, out);
            case ABORT -> {
                out.putInt(((Message.Abort) message).code());
                putUtf8(FieldWriter.clip(((Message.Abort) message).reason()), out);
            }
        }
    }

    private void encodePieceHead(Message.PieceBlock block, ByteBuffer out) {
        int pieceBytes = layout.lengthBytes(block.piece());
        checkArgument(block.digest().length == digestBytes, "digest of %s bytes", block.digest().length);
        checkArgument(
                block.lengthBytes() >= 1
                        && block.lengthBytes() <= WireLimits.MAX_BLOCK_BYTES
                        && block.offsetBytes() >= 0
                        && block.offsetBytes() <= pieceBytes - block.lengthBytes(),
                "block of %s bytes at %s in a piece of %s bytes",
                block.lengthBytes(),
                block.offsetBytes(),
                pieceBytes);
        checkArgument(block.waiting() >= 0, "waiting: %s", block.waiting());
        out.putInt(block.piece()).putInt(block.offsetBytes()).putInt(block.waiting());
        out.put((byte) digestBytes).put(block.digest());
    }

    private static void encodeBegin(Message.Begin begin, ByteBuffer out) {
        checkArgument(begin.sequence() >= 0, "sequence: %s", begin.sequence());
        checkElementIndex(begin.rootRank(), Topology.MAX_NODES, "rootRank");
        PieceLayout announced = new PieceLayout(begin.totalBytes(), begin.pieceBytes());
        out.putLong(begin.sequence()).putInt(begin.rootRank());
        out.putLong(announced.totalBytes()).putInt(announced.pieceBytes());
        putName(begin.strategy(), out);
        putName(begin.digest(), out);
    }

    private static PieceSet pieces(Message message) {
        return switch (message.type()) {
            case BITFIELD -> ((Message.Bitfield) message).pieces();
            case DESIRE -> ((Message.Desire) message).pieces();
            case WORK -> ((Message.Work) message).pieces();
            default -> throw new IllegalArgumentException("no pieces in " + message.type());
        };
    }

    private PieceSet checkCapacity(PieceSet pieces) {
        checkArgument(
                pieces.capacity() == layout.pieceCount(),
                "set of %s pieces in a multicast of %s",
                pieces.capacity(),
                layout.pieceCount());
        return pieces;
    }

    private int checkCount(String what, int pieces) {
        checkArgument(pieces >= 0 && pieces <= layout.pieceCount(), "%s: %s", what, pieces);
        return pieces;
    }

    private int checkPiece(int piece) {
        return checkElementIndex(piece, layout.pieceCount(), "piece");
    }

    private static int nameBytes(String name) {
        return Short.BYTES + FieldWriter.utf8Bytes(name);
    }

    private static void putName(String name, ByteBuffer out) {
        checkArgument(
                FieldWriter.utf8Bytes(name) <= WireLimits.MAX_NAME_BYTES,
                "name longer than %s bytes",
                WireLimits.MAX_NAME_BYTES);
        putUtf8(name.getBytes(StandardCharsets.UTF_8), out);
    }

    private static void putUtf8(byte[] utf8, ByteBuffer out) {
        out.putShort((short) utf8.length).put(utf8);
    }
}

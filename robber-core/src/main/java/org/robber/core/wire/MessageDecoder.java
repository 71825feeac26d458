package org.robber.core.wire;

import java.nio.ByteBuffer;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.protocol.MessageType;
import org.robber.core.topology.Topology;

/** Reads the payloads of messages between peers; throws {@link WireException} for any error in them. */
final class MessageDecoder {
    private final PieceLayout layout;
    private final int digestBytes;

    MessageDecoder(PieceLayout layout, int digestBytes) {
        this.layout = layout;
        this.digestBytes = digestBytes;
    }

    Message decode(MessageType type, ByteBuffer payload) {
        FieldReader in = new FieldReader(type, payload);
        Message message = switch (type) {
            case BITFIELD -> new Message.Bitfield(pieces(in));
            case DESIRE -> new Message.Desire(pieces(in));
            case WORK -> new Message.Work(pieces(in));
            case HAVE -> new Message.Have(piece(in));
            case REQUEST -> new Message.Request(piece(in));
            case REJECT -> new Message.Reject(piece(in));
            case CANCEL -> new Message.Cancel(piece(in));
            case STEAL ->
                new Message.Steal(
                        in.between("piecesStolen", 0, layout.pieceCount()),
                        in.between("workPieces", 0, layout.pieceCount()));
            case FOUND_WORK -> new Message.FoundWork();
            case DONE -> new Message.Done();
            case STOP -> new Message.Stop();
            case KEEP_ALIVE -> new Message.KeepAlive();
            case CHOKE -> new Message.Choke();
            case UNCHOKE -> new Message.Unchoke();
            case INTERESTED -> new Message.Interested();
            case NOT_INTERESTED -> new Message.NotInterested();
            case BEGIN -> begin(in);
            case ABORT -> new Message.Abort(in.i32("code"), in.line("reason", WireLimits.MAX_TEXT_BYTES));
            case PIECE -> throw new IllegalArgumentException("a piece has a block, too");
        };
        in.end();
        return message;
    }

    Message.PieceBlock decodePieceHead(int payloadBytes, ByteBuffer head) {
        FieldReader in = new FieldReader(MessageType.PIECE, head);
        int piece = piece(in);
        int offsetBytes = in.i32("offset");
        int waiting = in.i32("pieces that wait");
        if (waiting < 0) {
            throw in.error(WireError.OUT_OF_RANGE, waiting + " pieces that wait");
        }
        int foundDigestBytes = in.u8("digest length");
        if (foundDigestBytes != digestBytes) {
            throw in.error(WireError.MALFORMED, "digest of " + foundDigestBytes + " bytes, instead of " + digestBytes);
        }
        byte[] digest = in.bytes("digest", digestBytes);
        int lengthBytes = payloadBytes - MessageCodec.pieceHeadBytes(digestBytes);
        if (lengthBytes < 1) {
            throw in.error(WireError.TRUNCATED, "no block");
        }
        int pieceBytes = layout.lengthBytes(piece);
        if (lengthBytes > WireLimits.MAX_BLOCK_BYTES || offsetBytes < 0 || offsetBytes > pieceBytes - lengthBytes) {
            throw in.error(
                    WireError.OUT_OF_RANGE,
                    "block of " + lengthBytes + " bytes at " + offsetBytes + " in a piece of " + pieceBytes);
        }
        return new Message.PieceBlock(piece, offsetBytes, lengthBytes, waiting, digest);
    }

    private PieceSet pieces(FieldReader in) {
        return PieceSetCodec.decode(in, layout.pieceCount());
    }

    private int piece(FieldReader in) {
        return in.between("piece", 0, layout.pieceCount() - 1);
    }

    private static Message.Begin begin(FieldReader in) {
        long sequence = in.natural("sequence");
        int rootRank = in.between("root", 0, Topology.MAX_NODES - 1);
        long totalBytes = in.natural("total bytes");
        int pieceBytes = in.between("piece bytes", 1, Integer.MAX_VALUE);
        if (totalBytes > (long) pieceBytes * PieceLayout.MAX_PIECES) {
            throw in.error(WireError.OUT_OF_RANGE, "more than " + PieceLayout.MAX_PIECES + " pieces");
        }
        return new Message.Begin(sequence, rootRank, totalBytes, pieceBytes, in.name("strategy"), in.name("digest"));
    }
}

package org.robber.core.wire;

import static com.google.common.base.Preconditions.checkArgument;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import org.robber.core.piece.PieceLayout;
import org.robber.core.protocol.Message;
import org.robber.core.protocol.MessageType;

/**
 * The binary form of what peers say to each other during one multicast: frames as in {@link FrameHead}, with these
 * payloads.
 *
 * <pre>{@code
 *   BITFIELD, DESIRE, WORK            piece set, as in PieceSetCodec
 *   HAVE, REQUEST, REJECT, CANCEL     u32 piece
 *   STEAL                             u32 pieces stolen so far, u32 work left
 *   FOUND_WORK, DONE, STOP,
 *   KEEP_ALIVE, CHOKE, UNCHOKE,
 *   INTERESTED, NOT_INTERESTED        nothing
 *   PIECE                             u32 piece, u32 offset in the piece, u32 pieces that wait, u8 digest length, digest, block
 *   BEGIN                             u64 sequence, u32 root, u64 total bytes, u32 piece bytes, strategy, digest name
 *   ABORT                             u32 code, reason
 * }</pre>
 *
 * <p>Strings are UTF-8 after their length as u16; all numbers are big endian.
 *
 * <p>A codec belongs to one layout, since that decides what is in range; it is cheap to make, immutable, and may be
 * shared by threads. Decoding throws {@link WireException} and nothing else, whatever the bytes are.
 */
public final class MessageCodec {

    private static final MessageCodec BETWEEN_MULTICASTS = new MessageCodec(new PieceLayout(0, 1), 0);

    private final PieceLayout layout;
    private final int digestBytes;
    private final MessageEncoder encoder;
    private final MessageDecoder decoder;

    /**
     * The codec for one multicast.
     *
     * @param layout how the data of the multicast is cut
     * @param digestBytes length of a piece's digest, 0..{@link WireLimits#MAX_DIGEST_BYTES}
     */
    public MessageCodec(PieceLayout layout, int digestBytes) {
        checkArgument(digestBytes >= 0 && digestBytes <= WireLimits.MAX_DIGEST_BYTES, "digestBytes: %s", digestBytes);
        this.layout = layout;
        this.digestBytes = digestBytes;
        this.encoder = new MessageEncoder(layout, digestBytes);
        this.decoder = new MessageDecoder(layout, digestBytes);
    }

    /**
     * The codec for a connection on which no multicast has begun, or one has ended: it refuses all messages that name a piece.
     */
    public static MessageCodec betweenMulticasts() {
        return BETWEEN_MULTICASTS;
    }

    /** Length of the payload of {@link MessageType#PIECE} before the block, for digests of this length. */
    public static int pieceHeadBytes(int digestBytes) {
        return 4 + 4 + 4 + 1 + digestBytes;
    }

    /** Length of the payload of {@link MessageType#PIECE} before the block. */
    public int pieceHeadBytes() {
        return pieceHeadBytes(digestBytes);
    }

    /**
     * The payload's length of a frame of which the first {@link FrameHead#BYTES} bytes are known.
     *
     * @param lengthField the first 4 bytes, big endian
     * @param typeCode the fifth byte, 0..255
     * @throws WireException if the type is unknown or the frame is longer than it may be
     */
    public int payloadBytes(int lengthField, int typeCode) {
        return FrameHead.payloadBytes(lengthField, maxFrameBytes(typeCode), type(typeCode));
    }

    /**
     * The longest a whole frame of this type may be in this multicast, from its length field to its last byte.
     *
     * @throws WireException if the type is unknown
     */
    public int maxFrameBytes(int typeCode) {
        int payloadBytes = switch (type(typeCode)) {
            case BITFIELD, DESIRE, WORK -> PieceSetCodec.maxBytes(layout.pieceCount());
            case HAVE, REQUEST, REJECT, CANCEL -> 4;
            case STEAL -> 8;
            case FOUND_WORK, DONE, STOP, KEEP_ALIVE, CHOKE, UNCHOKE, INTERESTED, NOT_INTERESTED -> 0;
            case PIECE -> pieceHeadBytes() + Math.min(layout.pieceBytes(), WireLimits.MAX_BLOCK_BYTES);
            case BEGIN -> 8 + 4 + 8 + 4 + 2 * (2 + WireLimits.MAX_NAME_BYTES);
            case ABORT -> 4 + 2 + WireLimits.MAX_TEXT_BYTES;
        };
        return FrameHead.BYTES + payloadBytes;
    }

    /** How many bytes {@link #encode} writes for this message: the whole frame, but without the block of a piece. */
    public int encodedBytes(Message message) {
        return FrameHead.BYTES + encoder.payloadBytes(message);
    }

    /**
     * Writes a message at the target's position and moves it on. Of a {@link Message.PieceBlock} all but the block is
     * written, though the length field counts it: the {@link Message.PieceBlock#lengthBytes} bytes of the block must
     * follow.
     *
     * @throws IllegalArgumentException if a receiver would refuse the message
     * @throws IndexOutOfBoundsException if it is about a piece that the layout does not have
     * @throws BufferOverflowException if it doesn't fit; the position has not moved then
     */
    public void encode(Message message, ByteBuffer target) {
        ByteBuffer out = target.slice(); // big endian, whatever the target is
        if (out.remaining() < FrameHead.BYTES) {
            throw new BufferOverflowException();
        }
        out.position(FrameHead.BYTES);
        encoder.encodePayload(message, out);
        int blockBytes = message instanceof Message.PieceBlock block ? block.lengthBytes() : 0;
        out.putInt(0, out.position() - FrameHead.LENGTH_FIELD_BYTES + blockBytes);
        out.put(FrameHead.LENGTH_FIELD_BYTES, (byte) message.type().code());
        target.position(target.position() + out.position());
    }

    /**
     * Reads a message.
     *
     * @param typeCode the type from the frame's head, 0..255
     * @param payload exactly the payload between its position and limit. Its position is moved to the limit; for a {@link
     *     Message.PieceBlock} to the first byte of the block
     * @throws WireException if these bytes are no message; the position has not moved then
     */
    public Message decode(int typeCode, ByteBuffer payload) {
        MessageType type = type(typeCode);
        if (type == MessageType.PIECE) {
            return decodePieceHead(payload.remaining(), payload);
        }
        Message message = decoder.decode(type, payload);
        payload.position(payload.limit());
        return message;
    }

    /**
     * Reads the head of a piece's block without having the block, for readers that let the block flow to its place.
     *
     * @param payloadBytes length of the payload, head and block, as {@link #payloadBytes} gives it
     * @param head at least the first {@link #pieceHeadBytes()} bytes of the payload; the position is moved behind them
     * @throws WireException if the head or the length is wrong; the position has not moved then
     */
    public Message.PieceBlock decodePieceHead(int payloadBytes, ByteBuffer head) {
        Message.PieceBlock block = decoder.decodePieceHead(payloadBytes, head);
        head.position(head.position() + pieceHeadBytes());
        return block;
    }

    private static MessageType type(int typeCode) {
        MessageType type = MessageType.ofCode(typeCode);
        if (type == null) {
            throw new WireException(WireError.UNKNOWN_TYPE, "no message between peers has the type " + typeCode);
        }
        return type;
    }
}

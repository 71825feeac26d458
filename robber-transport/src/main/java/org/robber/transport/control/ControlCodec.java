package org.robber.transport.control;

import java.nio.ByteBuffer;
import org.robber.core.wire.FieldReader;
import org.robber.core.wire.FieldWriter;
import org.robber.core.wire.FrameHead;
import org.robber.core.wire.WireError;
import org.robber.core.wire.WireException;

/**
 * The binary form of {@link ControlMessage}: frames as in {@link FrameHead}, with the payloads that {@code
 * docs/reference/protocol.md} lists.
 *
 * <p>Decoding throws {@link WireException} and nothing else, whatever the bytes are.
 */
public final class ControlCodec {

    private ControlCodec() {}

    /**
     * The payload's length of a frame of which the first {@link FrameHead#BYTES} bytes are known.
     *
     * @param lengthField the first 4 bytes, big endian
     * @param typeCode the fifth byte, 0..255
     * @throws WireException if the type is unknown or the frame is longer than it may be
     */
    public static int payloadBytes(int lengthField, int typeCode) {
        ControlType type = type(typeCode);
        return FrameHead.payloadBytes(lengthField, type.maxFrameBytes(), type);
    }

    /**
     * A new buffer with the whole frame. Texts for people, the reason of a refusal and the text of a failure, are cut where
     * they are too long.
     *
     * @throws IllegalArgumentException if a receiver would refuse the message
     */
    public static ByteBuffer encode(ControlMessage message) {
        ControlType type = ControlType.of(message);
        FieldWriter out = new FieldWriter(type, type.code(), type.maxFrameBytes());
        ControlEncoder.encode(message, out);
        return out.finish();
    }

    /**
     * Reads a message.
     *
     * @param typeCode the type from the frame's head, 0..255
     * @param payload exactly the payload between its position and limit; its position is moved to the limit
     * @throws WireException if these bytes are no message; the position has not moved then
     */
    public static ControlMessage decode(int typeCode, ByteBuffer payload) {
        ControlType type = type(typeCode);
        ControlMessage message = ControlDecoder.decode(type, new FieldReader(type, payload));
        payload.position(payload.limit());
        return message;
    }

    private static ControlType type(int typeCode) {
        ControlType type = ControlType.ofCode(typeCode);
        if (type == null) {
            throw new WireException(WireError.UNKNOWN_TYPE, "no control message has the type " + typeCode);
        }
        return type;
    }
}

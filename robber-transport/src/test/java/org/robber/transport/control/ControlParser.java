package org.robber.transport.control;

import java.nio.ByteBuffer;
import org.robber.core.wire.FrameHead;

/** Reads control frames the way a reader does, and writes down again what it understood. */
final class ControlParser {
    private static final byte[] INCOMPLETE = {};

    private ControlParser() {}

    /** The bytes that say the same; empty if the frame isn't all there. */
    static byte[] reencode(byte[] frame) {
        if (frame.length < FrameHead.BYTES) {
            return INCOMPLETE;
        }
        ByteBuffer in = ByteBuffer.wrap(frame);
        int lengthField = in.getInt();
        int typeCode = Byte.toUnsignedInt(in.get());
        int payloadBytes = ControlCodec.payloadBytes(lengthField, typeCode);
        if (in.remaining() < payloadBytes) {
            return INCOMPLETE;
        }
        return ControlCodec.encode(ControlCodec.decode(typeCode, in.limit(in.position() + payloadBytes)))
                .array();
    }
}

package org.robber.core.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.robber.core.protocol.Message;

/**
 * Reads frames the way a reader does, and writes down again what it understood. Whatever the bytes are, each of these
 * returns or throws {@link WireException}.
 */
public final class FrameParsers {

    /** One way to read bytes. */
    @FunctionalInterface
    public interface Parser {
        /** The bytes that say the same in the form that this side would send; empty if the frame isn't all there. */
        byte[] reencode(byte[] bytes);
    }

    private static final byte[] INCOMPLETE = {};

    private FrameParsers() {}

    /** A parser of messages between peers. */
    static Parser peer(MessageCodec codec) {
        return frame -> {
            if (frame.length < FrameHead.BYTES) {
                return INCOMPLETE;
            }
            ByteBuffer in = ByteBuffer.wrap(frame);
            int lengthField = in.getInt();
            int typeCode = Byte.toUnsignedInt(in.get());
            int payloadBytes = codec.payloadBytes(lengthField, typeCode);
            if (in.remaining() < payloadBytes) {
                return INCOMPLETE;
            }
            ByteBuffer payload = in.limit(in.position() + payloadBytes);
            Message message = codec.decode(typeCode, payload);
            ByteBuffer out = ByteBuffer.allocate(codec.encodedBytes(message) + payload.remaining());
            codec.encode(message, out);
            return out.put(payload).array();
        };
    }

    static byte[] hello(byte[] bytes) {
        return bytes(GreetingCodec.encode(GreetingCodec.decodeHello(ByteBuffer.wrap(bytes))));
    }

    static byte[] challenge(byte[] bytes) {
        return bytes(GreetingCodec.encode(GreetingCodec.decodeChallenge(ByteBuffer.wrap(bytes))));
    }

    static byte[] proof(byte[] bytes) {
        return bytes(GreetingCodec.encode(GreetingCodec.decodeProof(ByteBuffer.wrap(bytes))));
    }

    /**
     * Feeds bytes to a parser.
     *
     * @return whether they were a message; then its form reads as itself
     */
    public static boolean accepts(Parser parser, byte[] bytes) {
        byte[] again;
        try {
            again = parser.reencode(bytes);
        } catch (WireException refused) {
            return false;
        }
        if (again.length == 0) {
            return false;
        }
        if (!Arrays.equals(parser.reencode(again), again)) {
            throw new AssertionError("reads differently the second time: " + Golden.hex(bytes));
        }
        return true;
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }
}

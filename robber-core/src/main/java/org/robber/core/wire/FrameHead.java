package org.robber.core.wire;

/**
 * What each frame begins with, numbers big endian:
 *
 * <pre>{@code
 *    0       4      5
 *   +-------+------+----------------------+
 *   | length| type | payload              |
 *   +-------+------+----------------------+
 *    u32     u8     length - 1 bytes
 * }</pre>
 *
 * <p>A reader takes these 5 bytes and asks the codec for the payload's length before it reads on, so that no peer can
 * make it wait for, or make room for, more than the type allows.
 */
public final class FrameHead {

    /** Length of the head. */
    public static final int BYTES = 5;

    /** Length of the length field, which does not count itself. */
    public static final int LENGTH_FIELD_BYTES = 4;

    private FrameHead() {}

    /**
     * The payload's length according to a frame's length field.
     *
     * @param lengthField the length field as a signed int
     * @param maxFrameBytes limit of the whole frame
     * @param type name of the type, for the error
     */
    public static int payloadBytes(int lengthField, int maxFrameBytes, Object type) {
        if (lengthField == 0) {
            throw new WireException(WireError.TRUNCATED, "frame without a type");
        }
        if (lengthField < 0 || lengthField > maxFrameBytes - LENGTH_FIELD_BYTES) {
            throw new WireException(
                    WireError.OVERSIZED,
                    type + ": frame of " + (Integer.toUnsignedLong(lengthField) + LENGTH_FIELD_BYTES)
                            + " bytes, of at most " + maxFrameBytes);
        }
        return lengthField - 1;
    }
}

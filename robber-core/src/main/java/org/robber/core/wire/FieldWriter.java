package org.robber.core.wire;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.Utf8;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes a frame of its own, growing as needed. The counterpart of {@link FieldReader}: throws {@link IllegalArgumentException} for
 * what a reader would refuse.
 */
public final class FieldWriter {
    private static final int FIRST_BYTES = 256;

    private final Object type;
    private final int maxFrameBytes;
    private ByteBuffer out;

    /** Begins a frame; its length is filled in at the end. */
    public FieldWriter(Object type, int code, int maxFrameBytes) {
        this(type, code, maxFrameBytes, 0);
    }

    /** The same with room for a payload of this size beside a few fields. */
    public FieldWriter(Object type, int code, int maxFrameBytes, int payloadBytes) {
        this.out = ByteBuffer.allocate(FIRST_BYTES + payloadBytes);
        this.type = type;
        this.maxFrameBytes = maxFrameBytes;
        out.putInt(0).put((byte) code);
    }

    public void u8(int number) {
        room(1).put((byte) number);
    }

    public void u16(String field, int number) {
        checkArgument(number >= 0 && number <= 0xFFFF, "%s: %s: %s", type, field, number);
        room(Short.BYTES).putShort((short) number);
    }

    public void i32(int number) {
        room(Integer.BYTES).putInt(number);
    }

    public void i64(long number) {
        room(Long.BYTES).putLong(number);
    }

    public void between(String field, int number, int min, int max) {
        checkArgument(number >= min && number <= max, "%s: %s: %s", type, field, number);
        i32(number);
    }

    public void natural(String field, long number) {
        checkArgument(number >= 0, "%s: %s: %s", type, field, number);
        i64(number);
    }

    public void payload(String field, byte[] bytes) {
        between(field, bytes.length, 0, WireLimits.MAX_PAYLOAD_BYTES);
        room(bytes.length).put(bytes);
    }

    /** What remains of the bytes, after its length. */
    public void payload(String field, ByteBuffer bytes) {
        between(field, bytes.remaining(), 0, WireLimits.MAX_PAYLOAD_BYTES);
        room(bytes.remaining()).put(bytes.duplicate());
    }

    public void name(String field, String name) {
        exactText(field, name, WireLimits.MAX_NAME_BYTES);
    }

    /** Text that is never cut. */
    public void exactText(String field, String text, int maxBytes) {
        checkArgument(utf8Bytes(text) <= maxBytes, "%s: %s: longer than %s bytes", type, field, maxBytes);
        utf8(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Text for people, which is cut if it is too long. */
    public void text(String text) {
        utf8(clip(text));
    }

    private void utf8(byte[] utf8) {
        room(Short.BYTES + utf8.length).putShort((short) utf8.length).put(utf8);
    }

    /** The frame, from its first to its last byte. */
    public ByteBuffer finish() {
        out.putInt(0, out.position() - FrameHead.LENGTH_FIELD_BYTES);
        return out.flip();
    }

    private ByteBuffer room(int bytes) {
        int needed = out.position() + bytes;
        checkArgument(needed <= maxFrameBytes, "%s: longer than %s bytes", type, maxFrameBytes);
        if (out.remaining() < bytes) {
            int position = out.position();
            out = ByteBuffer.wrap(Arrays.copyOf(out.array(), Math.max(needed, 2 * out.capacity())))
                    .position(position);
        }
        return out;
    }

    /** Length of a text in UTF-8. Halves of surrogate pairs, which UTF-8 has no form for, are refused. */
    public static int utf8Bytes(String text) {
        return Utf8.encodedLength(text);
    }

    /** Text for people in UTF-8, cut at the end of a character where it is too long. */
    public static byte[] clip(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        if (utf8.length <= WireLimits.MAX_TEXT_BYTES) {
            return utf8;
        }
        int end = WireLimits.MAX_TEXT_BYTES;
        while ((utf8[end] & 0xC0) == 0x80) {
            end--;
        }
        return Arrays.copyOf(utf8, end);
    }
}

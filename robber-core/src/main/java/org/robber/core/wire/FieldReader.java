package org.robber.core.wire;

import com.google.common.base.CharMatcher;
import com.google.common.base.Utf8;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads the fields of one message, big endian. Throws {@link WireException} for any field that is wrong. */
public final class FieldReader {
    private final Object type;
    private final ByteBuffer in;

    /**
     * Reads the bytes between the buffer's position and limit, and moves neither.
     *
     * @param type what is read, for errors
     */
    public FieldReader(Object type, ByteBuffer payload) {
        this.type = type;
        this.in = payload.slice(); // big endian, whatever the other is
    }

    public int remaining() {
        return in.remaining();
    }

    public int u8(String field) {
        demand(field, 1);
        return Byte.toUnsignedInt(in.get());
    }

    public int u16(String field) {
        demand(field, Short.BYTES);
        return Short.toUnsignedInt(in.getShort());
    }

    public int i32(String field) {
        demand(field, Integer.BYTES);
        return in.getInt();
    }

    public long i64(String field) {
        demand(field, Long.BYTES);
        return in.getLong();
    }

    /** A number of 4 bytes from {@code min} to {@code max}. */
    public int between(String field, int min, int max) {
        int number = i32(field);
        if (number < min || number > max) {
            throw error(WireError.OUT_OF_RANGE, field + ": " + number + " is not in " + min + ".." + max);
        }
        return number;
    }

    /** A number of 8 bytes that is at least 0. */
    public long natural(String field) {
        long number = i64(field);
        if (number < 0) {
            throw error(WireError.OUT_OF_RANGE, field + ": " + number + " is negative");
        }
        return number;
    }

    /** A flag of one byte, 0 or 1. */
    public boolean flag(String field) {
        int flag = u8(field);
        if (flag > 1) {
            throw error(WireError.MALFORMED, field + ": " + flag + " is no flag");
        }
        return flag == 1;
    }

    public byte[] bytes(String field, int length) {
        demand(field, length);
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    /** Bytes after their length in 4 bytes. */
    public byte[] payload(String field) {
        return bytes(field, between(field, 0, WireLimits.MAX_PAYLOAD_BYTES));
    }

    /** The same without a copy: the result shares the memory of the message. */
    public ByteBuffer sharedPayload(String field) {
        int length = between(field, 0, WireLimits.MAX_PAYLOAD_BYTES);
        demand(field, length);
        ByteBuffer shared = in.slice(in.position(), length);
        in.position(in.position() + length);
        return shared;
    }

    /** UTF-8 after its length in 2 bytes. */
    public String text(String field, int maxBytes) {
        int length = u16(field);
        if (length > maxBytes) {
            throw error(WireError.OVERSIZED, field + ": " + length + " bytes, of at most " + maxBytes);
        }
        byte[] utf8 = bytes(field, length);
        if (!Utf8.isWellFormed(utf8)) {
            throw error(WireError.BAD_TEXT, field + ": not UTF-8");
        }
        return new String(utf8, StandardCharsets.UTF_8);
    }

    public String name(String field) {
        return text(field, WireLimits.MAX_NAME_BYTES);
    }

    /** A text for people, as {@link #asLine}. */
    public String line(String field, int maxBytes) {
        return asLine(text(field, maxBytes));
    }

    /** The text on one line. Other control characters become question marks, since terminals obey them. */
    public static String asLine(String text) {
        return CharMatcher.javaIsoControl()
                .replaceFrom(CharMatcher.anyOf("\t\n\r").replaceFrom(text, ' '), '?');
    }

    /** A count of elements that take at least {@code elementBytes} each; so a small frame cannot make much room. */
    public int count(String field, int min, int max, int elementBytes) {
        int count = between(field, min, max);
        if ((long) count * elementBytes > in.remaining()) {
            throw error(WireError.TRUNCATED, field + ": fewer than " + count);
        }
        return count;
    }

    /**
     * An unsigned number in the form LEB128: 7 bits a byte, the lowest first, the high bit set in all but the last. Up to
     * 4 bytes, which is enough for any count of pieces, and none more than needed.
     */
    public int varint(String field) {
        int number = 0;
        for (int shift = 0; shift < 28; shift += 7) {
            int next = u8(field);
            number |= (next & 0x7F) << shift;
            if (next < 0x80) {
                if (next == 0 && shift > 0) {
                    throw error(WireError.MALFORMED, field + ": longer than needed");
                }
                return number;
            }
        }
        throw error(WireError.OUT_OF_RANGE, field + ": more than 4 bytes");
    }

    /** The rest as a buffer of its own, big endian, which is read from here on. */
    public ByteBuffer rest() {
        return in;
    }

    /** Throws unless all bytes have been read. */
    public void end() {
        if (in.hasRemaining()) {
            throw error(WireError.TRAILING, in.remaining() + " bytes too many");
        }
    }

    public WireException error(WireError error, String what) {
        return new WireException(error, type + ": " + what);
    }

    private void demand(String field, int bytes) {
        if (in.remaining() < bytes) {
            throw error(WireError.TRUNCATED, field + ": " + in.remaining() + " of " + bytes + " bytes");
        }
    }
}

package org.robber.transport.manifest;

import java.nio.ByteBuffer;

/** Reads the numbers and texts of {@link NumberWriter}. Any input is safe: malformed bytes throw {@link ManifestException}. */
final class NumberReader {
    private final ByteBuffer bytes;

    NumberReader(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    int remaining() {
        return bytes.remaining();
    }

    /** A number of up to 64 bits, in its shortest form. */
    long number(String what) {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            if (!bytes.hasRemaining()) {
                throw truncated();
            }
            byte next = bytes.get();
            long bits = next & 0x7f;
            value |= bits << shift;
            if (next >= 0) {
                if ((next == 0 && shift > 0) || bits << shift >>> shift != bits) {
                    break;
                }
                return value;
            }
        }
        throw new ManifestException(what + " is no number in its shortest form, at byte " + bytes.position());
    }

    /** A number of 0..max. */
    int number(String what, int max) {
        long value = number(what);
        if (value < 0 || value > max) {
            throw new ManifestException(what + ": " + Long.toUnsignedString(value) + " is more than " + max
                    + ", at byte " + bytes.position());
        }
        return (int) value;
    }

    long signed(String what) {
        long value = number(what);
        return value >>> 1 ^ -(value & 1);
    }

    byte[] bytes(int length) {
        if (length > bytes.remaining()) {
            throw truncated();
        }
        byte[] read = new byte[length];
        bytes.get(read);
        return read;
    }

    byte[] text(String what, int maxBytes) {
        return bytes(number(what + " length", maxBytes));
    }

    private static ManifestException truncated() {
        return new ManifestException("truncated");
    }
}

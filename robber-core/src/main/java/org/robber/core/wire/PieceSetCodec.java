package org.robber.core.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.robber.core.piece.PieceSet;

/**
 * Piece sets on the wire: as ranges or as a bitmap, whichever is shorter; a sender takes ranges when both are the same.
 *
 * <pre>{@code
 *    0      1          5
 *   +------+----------+------------------------------------------+
 *   | form | capacity | pairs, or bitmap, up to the frame's end  |
 *   +------+----------+------------------------------------------+
 *    u8     u32
 * }</pre>
 *
 * <ul>
 *   <li>Form 0, ranges: pairs (gap, length) of varints. A gap is the number of missing pieces before the range, and at
 *       least 1 but for the first range; a length is at least 1. So each set has one list of pairs.
 *   <li>Form 1, bitmap: ceil(capacity / 8) bytes; piece p is bit p % 8, counted from the lowest, of byte p / 8. Bits beyond
 *       the capacity are 0.
 * </ul>
 */
final class PieceSetCodec {
    private static final int HEAD_BYTES = 5;
    private static final int FORM_RANGES = 0;
    private static final int FORM_BITMAP = 1;

    private PieceSetCodec() {}

    /** The most bytes that a set of this capacity takes. */
    static int maxBytes(int capacity) {
        return HEAD_BYTES + bitmapBytes(capacity);
    }

    /** The bytes that this set takes. */
    static int encodedBytes(PieceSet set) {
        return HEAD_BYTES + Math.min(rangeBytes(set), bitmapBytes(set.capacity()));
    }

    /** Writes the set to a big-endian buffer. */
    static void encode(PieceSet set, ByteBuffer out) {
        boolean asRanges = rangeBytes(set) <= bitmapBytes(set.capacity());
        out.put((byte) (asRanges ? FORM_RANGES : FORM_BITMAP)).putInt(set.capacity());
        if (asRanges) {
            encodeRanges(set, out);
        } else {
            encodeBitmap(set, out);
        }
    }

    /** Reads a set that ends where the message ends. */
    static PieceSet decode(FieldReader in, int capacity) {
        int form = in.u8("form");
        int found = in.i32("capacity");
        if (found != capacity) {
            // Refused before there is a set: this number must never decide how much room is made.
            throw in.error(
                    WireError.WRONG_CAPACITY,
                    "set of " + Integer.toUnsignedLong(found) + " pieces in a multicast of " + capacity);
        }
        if (in.remaining() > bitmapBytes(capacity)) {
            throw in.error(WireError.OVERSIZED, "set longer than its bitmap");
        }
        return switch (form) {
            case FORM_RANGES -> decodeRanges(in, capacity);
            case FORM_BITMAP -> decodeBitmap(in, capacity);
            default -> throw in.error(WireError.MALFORMED, "form: " + form);
        };
    }

    private static int bitmapBytes(int capacity) {
        return (capacity + Byte.SIZE - 1) / Byte.SIZE;
    }

    /** The bytes of all pairs; as soon as they are more than the bitmap takes, any number above that. */
    private static int rangeBytes(PieceSet set) {
        int limit = bitmapBytes(set.capacity());
        int bytes = 0;
        int end = 0;
        for (int from = set.first(); from >= 0 && bytes <= limit; from = set.nextFrom(end)) {
            bytes += varintBytes(from - end);
            end = set.nextMissingFrom(from);
            bytes += varintBytes(end - from);
        }
        return bytes;
    }

    private static void encodeRanges(PieceSet set, ByteBuffer out) {
        int end = 0;
        for (int from = set.first(); from >= 0; from = set.nextFrom(end)) {
            putVarint(from - end, out);
            end = set.nextMissingFrom(from);
            putVarint(end - from, out);
        }
    }

    private static PieceSet decodeRanges(FieldReader in, int capacity) {
        PieceSet set = PieceSet.empty(capacity);
        int end = 0;
        while (in.remaining() > 0) {
            int gap = in.varint("gap");
            int length = in.varint("length");
            if (length == 0 || (gap == 0 && end > 0)) {
                throw in.error(WireError.MALFORMED, "empty range, or ranges that touch");
            }
            // Each of these is below 2^28, so the sum is an int.
            if (end + gap + length > capacity) {
                throw in.error(WireError.OUT_OF_RANGE, "range beyond " + capacity + " pieces");
            }
            set.addRange(end + gap, end + gap + length);
            end += gap + length;
        }
        return set;
    }

    private static void encodeBitmap(PieceSet set, ByteBuffer out) {
        int left = bitmapBytes(set.capacity());
        out.order(ByteOrder.LITTLE_ENDIAN);
        int word = 0;
        for (; left >= Long.BYTES; left -= Long.BYTES) {
            out.putLong(set.word(word++));
        }
        out.order(ByteOrder.BIG_ENDIAN);
        for (int shift = 0; left > 0; left--, shift += Byte.SIZE) {
            out.put((byte) (set.word(word) >>> shift));
        }
    }

    private static PieceSet decodeBitmap(FieldReader in, int capacity) {
        int left = bitmapBytes(capacity);
        if (in.remaining() < left) {
            throw in.error(WireError.TRUNCATED, "bitmap: " + in.remaining() + " of " + left + " bytes");
        }
        long[] words = new long[(left + Long.BYTES - 1) / Long.BYTES];
        ByteBuffer bytes = in.rest().order(ByteOrder.LITTLE_ENDIAN);
        int word = 0;
        for (; left >= Long.BYTES; left -= Long.BYTES) {
            words[word++] = bytes.getLong();
        }
        bytes.order(ByteOrder.BIG_ENDIAN);
        for (int shift = 0; left > 0; left--, shift += Byte.SIZE) {
            words[word] |= Byte.toUnsignedLong(bytes.get()) << shift;
        }
        int lastBits = capacity % Long.SIZE;
        if (lastBits > 0 && words[words.length - 1] >>> lastBits != 0) {
            throw in.error(WireError.OUT_OF_RANGE, "bits beyond " + capacity + " pieces");
        }
        return PieceSet.ofWords(capacity, words);
    }

    private static int varintBytes(int number) {
        return 1 + (Integer.SIZE - 1 - Integer.numberOfLeadingZeros(number | 1)) / 7;
    }

    private static void putVarint(int number, ByteBuffer out) {
        int left = number;
        while (left >= 0x80) {
            out.put((byte) (left | 0x80));
            left >>>= 7;
        }
        out.put((byte) left);
    }
}

package org.robber.bench.collectives;

import java.nio.ByteBuffer;
import java.util.stream.IntStream;

/**
 * The bytes that a call is to bring: equal parts, of which the part {@code i} comes from rank {@code i}. The last byte of each is looked at.
 *
 * @param forRank the rank that the parts are for; 0 if all get the same
 */
record CheckedParts(ByteBuffer bytes, int parts, int forRank) {
    /** The result of a rank that gets nothing. */
    static final CheckedParts NONE = new CheckedParts(ByteBuffer.allocate(0), 0, 0);

    /** Writes a part as its sender has it. */
    static void fill(ByteBuffer part, int from, int forRank) {
        for (int i = 0; i < part.limit(); i++) {
            part.put(i, value(from, forRank, i));
        }
    }

    /** Parts of other ranks begin with other bytes. */
    private static byte value(int from, int forRank, int index) {
        return (byte) (31 * from + forRank + index);
    }

    private int length() {
        return bytes.limit() / parts;
    }

    private int end(int from) {
        return (from + 1) * length() - 1;
    }

    private byte right(int from) {
        return value(from, forRank, length() - 1);
    }

    /** Makes all parts wrong, so that a call that brings nothing is noticed. */
    void spoil() {
        for (int from = 0; from < parts; from++) {
            bytes.put(end(from), (byte) (right(from) + 1));
        }
    }

    boolean isRight() {
        return IntStream.range(0, parts).allMatch(from -> bytes.get(end(from)) == right(from));
    }
}

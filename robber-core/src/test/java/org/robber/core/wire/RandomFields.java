package org.robber.core.wire;

import java.util.stream.IntStream;
import org.robber.core.random.SeededRandom;
import org.robber.core.topology.Topology;

/** Random values for fields of messages. */
public final class RandomFields {
    /** Code points of 1 to 4 bytes in UTF-8, and no control characters: these are read as others in texts for people. */
    private static final int[] CHARACTERS = {' ', 'a', '~', 0xA0, 0x7FF, 0x800, 0xFFFD, 0x10000, 0x10FFFF};

    private RandomFields() {}

    public static String text(int maxBytes, SeededRandom random) {
        int[] characters = IntStream.range(0, random.nextInt(random.nextInt(8) == 0 ? maxBytes / 4 + 1 : 10))
                .map(i -> CHARACTERS[random.nextInt(CHARACTERS.length)])
                .toArray();
        return new String(characters, 0, characters.length);
    }

    public static byte[] bytes(int length, SeededRandom random) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    public static long natural(SeededRandom random) {
        return random.nextLong() >>> (1 + random.nextInt(63));
    }

    public static int rank(SeededRandom random) {
        return random.nextInt(Topology.MAX_NODES);
    }
}

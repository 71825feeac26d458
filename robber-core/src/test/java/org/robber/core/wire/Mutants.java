package org.robber.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;
import org.robber.core.wire.FrameParsers.Parser;

/** Golden frames with random damage. */
public final class Mutants {
    private static final int RUNS = 100;
    private static final int MUTANTS_PER_RUN = 500;

    /** Numbers at which something changes, as the last of 1, 2, 4 or 8 bytes. */
    private static final long[] EDGES = {0, 1, 0x7F, 0x80, 0xFF, 0x7FFF_FFFFL, 0x8000_0000L, -1, Long.MIN_VALUE, 1 << 24
    };

    private Mutants() {}

    /** Feeds mutants of the frames to the parser, which may understand them or refuse them with a {@link WireException}. */
    public static void assertOnlyWireExceptions(Parser parser, List<byte[]> seeds) {
        int[] understood = new int[1];
        SeededRuns.run(RUNS, random -> {
            for (int i = 0; i < MUTANTS_PER_RUN; i++) {
                byte[] mutant = mutate(seeds.get(random.nextInt(seeds.size())), random);
                understood[0] += FrameParsers.accepts(parser, mutant) ? 1 : 0;
            }
        });
        assertThat(understood[0])
                .as("some damage leaves a message, or nothing was tested")
                .isPositive();
    }

    private static byte[] mutate(byte[] seed, SeededRandom random) {
        byte[] bytes = seed.clone();
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            bytes = change(bytes, random);
        }
        if (bytes.length >= FrameHead.BYTES && random.nextBoolean()) {
            // A frame whose length is right gets further.
            ByteBuffer.wrap(bytes).putInt(0, bytes.length - FrameHead.LENGTH_FIELD_BYTES);
        }
        return bytes;
    }

    private static byte[] change(byte[] bytes, SeededRandom random) {
        if (bytes.length == 0) {
            return new byte[] {(byte) random.nextInt(256)};
        }
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(5)) {
            case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> bytes[at] = (byte) random.nextInt(256);
            case 2 -> {
                long edge = EDGES[random.nextInt(EDGES.length)];
                for (int left = 1 << random.nextInt(4), place = at; left > 0 && place >= 0; left--, place--) {
                    bytes[place] = (byte) edge;
                    edge >>= 8;
                }
            }
            case 3 -> {
                return Arrays.copyOf(bytes, at);
            }
            default -> {
                byte[] longer = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(4));
                System.arraycopy(bytes, at, longer, at + longer.length - bytes.length, bytes.length - at);
                return longer;
            }
        }
        return bytes;
    }

    public static <T> List<byte[]> frames(List<Golden<T>> golden) {
        return golden.stream()
                .flatMap(one -> Stream.of(one.bytes(), withBlock(one.bytes())))
                .toList();
    }

    /** With some bytes behind it, as a piece has its block. */
    private static byte[] withBlock(byte[] frame) {
        return Arrays.copyOf(frame, frame.length + 4);
    }
}

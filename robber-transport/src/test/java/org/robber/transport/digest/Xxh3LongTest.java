package org.robber.transport.digest;

import static org.assertj.core.api.Assertions.assertThat;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Holds our XXH3 against that of hash4j, which was written by others. */
class Xxh3LongTest {
    private final byte[] source = new byte[300_000];

    Xxh3LongTest() {
        new Random(99).nextBytes(source);
    }

    private static byte[] reference(byte[] bytes) {
        HashValue128 value = Hashing.xxh3_128().hashBytesTo128Bits(bytes);
        return ByteBuffer.allocate(16)
                .putLong(value.getMostSignificantBits())
                .putLong(value.getLeastSignificantBits())
                .array();
    }

    private void assertAgrees(int from, int length) {
        byte[] bytes = Arrays.copyOfRange(source, from, from + length);
        byte[] expected = reference(bytes);
        ByteBuffer direct = ByteBuffer.allocateDirect(length + 3).position(3);
        direct.put(bytes).position(3);

        assertThat(Xxh3Long.hash(ByteBuffer.wrap(bytes)))
                .as("heap, %s bytes", length)
                .isEqualTo(expected);
        assertThat(Xxh3Long.hash(direct)).as("direct, %s bytes", length).isEqualTo(expected);
        assertThat(direct.position()).isEqualTo(3);
    }

    @Test
    void agreesAtEveryLengthAroundStripesBlocksAndWindows() {
        for (int length = Xxh3Long.SHORT_BYTES + 1; length < 3000; length++) {
            assertAgrees(length % 17, length);
        }
        for (int edge : new int[] {4096, 8192, 16384, 65536, 131072, 262144}) {
            for (int length = edge - 66; length <= edge + 66; length++) {
                assertAgrees(5, length);
            }
        }
    }

    @Test
    void agreesOnRunsOfEqualBytes() {
        for (byte each : new byte[] {0, -1, 1}) {
            Arrays.fill(source, each);
            assertAgrees(0, 100_000);
        }
    }
}

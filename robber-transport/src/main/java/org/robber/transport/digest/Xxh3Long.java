package org.robber.transport.digest;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * XXH3 with 128 bits and seed 0 for inputs of more than {@link #SHORT_BYTES}, as specified by Yann Collet's xxHash
 * (xxhash_spec, "XXH3 Algorithm Overview", long input), written for C1, the quick compiler. Bytes are copied to an
 * array of longs that stays in the first-level cache, and the eight accumulators are local variables. So the loop contains
 * no call. Reading single values from a buffer costs a call each under C1.
 */
final class Xxh3Long {
    /** Inputs of at most this many bytes have another algorithm. */
    static final int SHORT_BYTES = 240;

    private static final int STRIPE_BYTES = 64;
    private static final int STRIPE_LONGS = 8;
    private static final int STRIPES_PER_BLOCK = 16;
    private static final int BLOCK_BYTES = STRIPE_BYTES * STRIPES_PER_BLOCK;
    private static final int WINDOW_BLOCKS = 8;

    private static final long PRIME32_1 = 0x9E3779B1L;
    private static final long PRIME32_2 = 0x85EBCA77L;
    private static final long PRIME32_3 = 0xC2B2AE3DL;
    private static final long PRIME64_1 = 0x9E3779B185EBCA87L;
    private static final long PRIME64_2 = 0xC2B2AE3D27D4EB4FL;
    private static final long PRIME64_3 = 0x165667B19E3779F9L;
    private static final long PRIME64_4 = 0x85EBCA77C2B2AE63L;
    private static final long PRIME64_5 = 0x27D4EB2F165667C5L;
    private static final long AVALANCHE = 0x165667919E3779F9L;
    private static final long LOW_HALF = 0xFFFF_FFFFL;

    /** The default secret of the specification, as little-endian longs, and as the bytes that they are. */
    private static final long[] SECRET_LONGS = {
        0xBE4BA423396CFEB8L, 0x1CAD21F72C81017CL, 0xDB979083E96DD4DEL, 0x1F67B3B7A4A44072L,
        0x78E5C0CC4EE679CBL, 0x2172FFCC7DD05A82L, 0x8E2443F7744608B8L, 0x4C263A81E69035E0L,
        0xCB00C391BB52283CL, 0xA32E531B8B65D088L, 0x4EF90DA297486471L, 0xD8ACDEA946EF1938L,
        0x3F349CE33F76FAA8L, 0x1D4F0BC7C7BBDCF9L, 0x3159B4CD4BE0518AL, 0x647378D9C97E9FC8L,
        0xC3EBD33483ACC5EAL, 0xEB6313FAFFA081C5L, 0x49DAF0B751DD0D17L, 0x9E68D429265516D3L,
        0xFCA1477D58BE162BL, 0xCE31D07AD1B8F88FL, 0x280416958F3ACB45L, 0x7E404BBBCAFBD7AFL
    };

    private static final ByteBuffer SECRET = bytesOf(SECRET_LONGS);

    private static final int SECRET_BYTES = 192;
    private static final int LAST_STRIPE_SECRET_OFFSET = SECRET_BYTES - STRIPE_BYTES - 7;
    private static final int LOW_MERGE_SECRET_OFFSET = 11;
    private static final int HIGH_MERGE_SECRET_OFFSET = SECRET_BYTES - STRIPE_BYTES - 11;
    private static final int SCRAMBLE_SECRET_INDEX = (SECRET_BYTES - STRIPE_BYTES) / Long.BYTES;

    private final long[] accumulators = {
        PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1
    };
    private final long[] window = new long[WINDOW_BLOCKS * STRIPES_PER_BLOCK * STRIPE_LONGS];

    /** The digest in its canonical form: the high half first, big-endian. */
    static byte[] hash(ByteBuffer data) {
        return new Xxh3Long().digest(data.slice().order(ByteOrder.LITTLE_ENDIAN));
    }

    private byte[] digest(ByteBuffer bytes) {
        int length = bytes.remaining();
        LongBuffer longs = bytes.asLongBuffer();
        // The block that holds the last byte is never scrambled, not even when it is whole.
        int wholeBlocks = (length - 1) / BLOCK_BYTES;
        for (int block = 0; block < wholeBlocks; block += WINDOW_BLOCKS) {
            int blocks = Math.min(WINDOW_BLOCKS, wholeBlocks - block);
            longs.get(window, 0, blocks * STRIPES_PER_BLOCK * STRIPE_LONGS);
            consume(blocks, STRIPES_PER_BLOCK, true);
        }
        int stripes = (length - 1 - wholeBlocks * BLOCK_BYTES) / STRIPE_BYTES;
        longs.get(window, 0, stripes * STRIPE_LONGS);
        consume(1, stripes, false);
        consumeLastStripe(bytes, length - STRIPE_BYTES);
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(merged(HIGH_MERGE_SECRET_OFFSET, ~(length * PRIME64_2)))
                .putLong(merged(LOW_MERGE_SECRET_OFFSET, length * PRIME64_1))
                .array();
    }

    private void consume(int blocks, int stripesPerBlock, boolean scramble) {
        long[] acc = accumulators;
        long[] data = window;
        long[] secret = SECRET_LONGS;
        long a0 = acc[0];
        long a1 = acc[1];
        long a2 = acc[2];
        long a3 = acc[3];
        long a4 = acc[4];
        long a5 = acc[5];
        long a6 = acc[6];
        long a7 = acc[7];
        int at = 0;
        for (int block = 0; block < blocks; block++) {
            for (int stripe = 0; stripe < stripesPerBlock; stripe++) {
                long value = data[at];
                long key = value ^ secret[stripe];
                a1 += value;
                a0 += (key & LOW_HALF) * (key >>> 32);
                value = data[at + 1];
                key = value ^ secret[stripe + 1];
                a0 += value;
                a1 += (key & LOW_HALF) * (key >>> 32);
                value = data[at + 2];
                key = value ^ secret[stripe + 2];
                a3 += value;
                a2 += (key & LOW_HALF) * (key >>> 32);
                value = data[at + 3];
                key = value ^ secret[stripe + 3];
                a2 += value;
                a3 += (key & LOW_HALF) * (key >>> 32);
                value = data[at + 4];
                key = value ^ secret[stripe + 4];
                a5 += value;
                a4 += (key & LOW_HALF) * (key >>> 32);
                value = data[at + 5];
                key = value ^ secret[stripe + 5];
                a4 += value;
                a5 += (key & LOW_HALF) * (key >>> 32);
                value = data[at + 6];
                key = value ^ secret[stripe + 6];
                a7 += value;
                a6 += (key & LOW_HALF) * (key >>> 32);
                value = data[at + 7];
                key = value ^ secret[stripe + 7];
                a6 += value;
                a7 += (key & LOW_HALF) * (key >>> 32);
                at += STRIPE_LONGS;
            }
            if (scramble) {
                a0 = scrambled(a0, 0);
                a1 = scrambled(a1, 1);
                a2 = scrambled(a2, 2);
                a3 = scrambled(a3, 3);
                a4 = scrambled(a4, 4);
                a5 = scrambled(a5, 5);
                a6 = scrambled(a6, 6);
                a7 = scrambled(a7, 7);
            }
        }
        acc[0] = a0;
        acc[1] = a1;
        acc[2] = a2;
        acc[3] = a3;
        acc[4] = a4;
        acc[5] = a5;
        acc[6] = a6;
        acc[7] = a7;
    }

    private static long scrambled(long accumulator, int lane) {
        return (accumulator ^ (accumulator >>> 47) ^ SECRET_LONGS[SCRAMBLE_SECRET_INDEX + lane]) * PRIME32_1;
    }

    /** The last 64 bytes count once more, wherever they begin, with a part of the secret of their own. */
    private void consumeLastStripe(ByteBuffer bytes, int offset) {
        for (int lane = 0; lane < STRIPE_LONGS; lane++) {
            long value = bytes.getLong(offset + lane * Long.BYTES);
            long key = value ^ SECRET.getLong(LAST_STRIPE_SECRET_OFFSET + lane * Long.BYTES);
            accumulators[lane ^ 1] += value;
            accumulators[lane] += (key & LOW_HALF) * (key >>> 32);
        }
    }

    private long merged(int secretOffset, long start) {
        long sum = start;
        for (int pair = 0; pair < STRIPE_LONGS; pair += 2) {
            long first = accumulators[pair] ^ SECRET.getLong(secretOffset + pair * Long.BYTES);
            long second = accumulators[pair + 1] ^ SECRET.getLong(secretOffset + (pair + 1) * Long.BYTES);
            sum += (first * second) ^ unsignedMultiplyHigh(first, second);
        }
        sum = (sum ^ (sum >>> 37)) * AVALANCHE;
        return sum ^ (sum >>> 32);
    }

    /** The upper 64 bits of the product of two unsigned numbers; the JDK has it from 18 on. */
    private static long unsignedMultiplyHigh(long a, long b) {
        return Math.multiplyHigh(a, b) + ((a >> 63) & b) + ((b >> 63) & a);
    }

    private static ByteBuffer bytesOf(long[] littleEndian) {
        ByteBuffer bytes = ByteBuffer.allocate(littleEndian.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asLongBuffer().put(littleEndian);
        return bytes;
    }
}

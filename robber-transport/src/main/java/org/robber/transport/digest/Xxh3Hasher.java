package org.robber.transport.digest;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.ByteBuffer;

/**
 * XXH3 with 128 bits, seed 0, in its canonical form: the high half first, big-endian, as {@code xxhsum -H2} prints it.
 * Detects accidental changes. A member can forge a collision on purpose: SHA-256 is for that.
 */
final class Xxh3Hasher implements PieceHasher {
    static final String NAME = "xxh3-128";

    private static final Hasher128 XXH3 = Hashing.xxh3_128();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int digestBytes() {
        return 16;
    }

    @Override
    public byte[] hash(ByteBuffer data) {
        if (data.remaining() > Xxh3Long.SHORT_BYTES) {
            return Xxh3Long.hash(data);
        }
        byte[] bytes = new byte[data.remaining()];
        data.get(data.position(), bytes);
        HashValue128 value = XXH3.hashBytesTo128Bits(bytes);
        return ByteBuffer.allocate(digestBytes())
                .putLong(value.getMostSignificantBits())
                .putLong(value.getLeastSignificantBits())
                .array();
    }
}

package org.robber.transport.collective.data;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** A hash of many numbers, which members compare in place of all of them: the name of a call is short. */
public final class ArgumentHash {
    private ArgumentHash() {}

    /** Of these numbers in their order. */
    public static String of(LongStream numbers) {
        Hasher hasher = Hashing.farmHashFingerprint64().newHasher();
        numbers.forEachOrdered(hasher::putLong);
        return hasher.hash().toString();
    }

    /** Of these numbers in their order. */
    public static String of(IntStream numbers) {
        return of(numbers.asLongStream());
    }
}

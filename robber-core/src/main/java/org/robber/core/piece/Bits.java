package org.robber.core.piece;

import java.util.function.IntConsumer;

/**
 * Operations on arrays of bits for {@link PieceSet}. The first bit is the lowest bit of the first word. Another array has at least the
 * same length.
 */
final class Bits {
    static final int PER_WORD = 64;

    private Bits() {}

    /** How many words so many bits take. */
    static int wordsFor(int bits) {
        return (bits + PER_WORD - 1) / PER_WORD;
    }

    /** Whether no bit is set. */
    static boolean areClear(long[] words) {
        for (long word : words) {
            if (word != 0) {
                return false;
            }
        }
        return true;
    }

    /** Sets what is set in the other array; returns how many bits that changed. */
    static int or(long[] words, long[] other) {
        int changed = 0;
        for (int i = 0; i < words.length; i++) {
            changed += Long.bitCount(other[i] & ~words[i]);
            words[i] |= other[i];
        }
        return changed;
    }

    /** Clears what is set in the other array; returns how many bits that changed. */
    static int andNot(long[] words, long[] other) {
        int changed = 0;
        for (int i = 0; i < words.length; i++) {
            changed += Long.bitCount(words[i] & other[i]);
            words[i] &= ~other[i];
        }
        return changed;
    }

    /** Clears what is not set in the other array; returns how many bits that changed. */
    static int and(long[] words, long[] other) {
        int changed = 0;
        for (int i = 0; i < words.length; i++) {
            changed += Long.bitCount(words[i] & ~other[i]);
            words[i] &= other[i];
        }
        return changed;
    }

    /** How many bits are set in both arrays. */
    static int countCommon(long[] words, long[] other) {
        int total = 0;
        for (int i = 0; i < words.length; i++) {
            total += Long.bitCount(words[i] & other[i]);
        }
        return total;
    }

    /**
     * The first bit that is set, {@code from} or after it, or -1.
     *
     * @param from within the array
     * @param flip 0, or all bits to look for one that is not set
     */
    static int next(long[] words, int from, long flip) {
        int word = from / PER_WORD;
        long bits = (words[word] ^ flip) & (-1L << from);
        while (bits == 0) {
            if (++word == words.length) {
                return -1;
            }
            bits = words[word] ^ flip;
        }
        return word * PER_WORD + Long.numberOfTrailingZeros(bits);
    }

    /** The bit before which {@code n} are set in both arrays; there must be so many, and it. */
    static int nth(long[] words, long[] other, int n) {
        int before = 0;
        for (int i = 0; ; i++) {
            long bits = words[i] & other[i];
            int here = Long.bitCount(bits);
            if (before + here > n) {
                return i * PER_WORD + Long.numberOfTrailingZeros(withoutLowest(bits, n - before));
            }
            before += here;
        }
    }

    /** Moves the first {@code most} bits that are set, or all if there are fewer, to an array without bits; returns how many. */
    static int moveFirst(long[] words, long[] to, int most) {
        int moved = 0;
        for (int i = 0; i < words.length && moved < most; i++) {
            long left = withoutLowest(words[i], most - moved);
            to[i] = words[i] & ~left;
            words[i] = left;
            moved += Long.bitCount(to[i]);
        }
        return moved;
    }

    /** Calls the consumer with each bit that is set, first to last, plus {@code base}. */
    static void forEach(long[] words, int base, IntConsumer consumer) {
        for (int i = 0; i < words.length; i++) {
            for (long bits = words[i]; bits != 0; bits &= bits - 1) {
                consumer.accept(base + i * PER_WORD + Long.numberOfTrailingZeros(bits));
            }
        }
    }

    /** A word without the lowest {@code count} of its bits that are set. */
    static long withoutLowest(long word, int count) {
        if (count >= Long.bitCount(word)) {
            return 0;
        }
        long bits = word;
        for (int skip = count; skip > 0; skip--) {
            bits &= bits - 1;
        }
        return bits;
    }

    /** Those bits of the word of this index that lie in [from, to). */
    static long mask(int word, int from, int to) {
        int base = word * PER_WORD;
        long mask = -1L;
        if (from > base) {
            mask &= from - base >= PER_WORD ? 0 : -1L << (from - base);
        }
        if (to < base + PER_WORD) {
            mask &= to <= base ? 0 : -1L >>> (base + PER_WORD - to);
        }
        return mask;
    }
}

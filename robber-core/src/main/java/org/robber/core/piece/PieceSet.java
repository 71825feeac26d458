package org.robber.core.piece;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkElementIndex;
import static com.google.common.base.Preconditions.checkPositionIndexes;

import java.util.Arrays;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.robber.core.random.SeededRandom;

/**
 * A set of piece numbers below a fixed capacity, one bit each: a million pieces take 125 kB, and whole-set operations run
 * over 64 pieces at a time. Mutable; not thread-safe.
 */
public final class PieceSet {
    private final int capacity;
    private final long[] words;
    private int size;

    private PieceSet(int capacity, long[] words, int size) {
        this.capacity = capacity;
        this.words = words;
        this.size = size;
    }

    /** The empty set of pieces below {@code capacity}, 0..{@link PieceLayout#MAX_PIECES}. */
    public static PieceSet empty(int capacity) {
        checkArgument(capacity >= 0 && capacity <= PieceLayout.MAX_PIECES, "capacity: %s", capacity);
        return new PieceSet(capacity, new long[Bits.wordsFor(capacity)], 0);
    }

    /** All pieces below {@code capacity}. */
    public static PieceSet full(int capacity) {
        return range(capacity, 0, capacity);
    }

    /** The pieces from {@code from} up to, but not including, {@code to}. */
    public static PieceSet range(int capacity, int from, int to) {
        PieceSet set = empty(capacity);
        set.addRange(from, to);
        return set;
    }

    /** A set of its own with the same pieces. */
    public PieceSet copy() {
        return new PieceSet(capacity, words.clone(), size);
    }

    /** One more than the largest piece number this set may hold. */
    public int capacity() {
        return capacity;
    }

    /** How many pieces are in the set. */
    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** Whether every piece below the capacity is in the set. */
    public boolean isFull() {
        return size == capacity;
    }

    public boolean contains(int piece) {
        checkElementIndex(piece, capacity, "piece");
        return (words[piece / Bits.PER_WORD] & (1L << piece)) != 0;
    }

    /** Adds a piece; returns whether it was missing. */
    public boolean add(int piece) {
        boolean missing = !contains(piece);
        if (missing) {
            words[piece / Bits.PER_WORD] |= 1L << piece;
            size++;
        }
        return missing;
    }

    /** Removes a piece; returns whether it was there. */
    public boolean remove(int piece) {
        boolean present = contains(piece);
        if (present) {
            words[piece / Bits.PER_WORD] &= ~(1L << piece);
            size--;
        }
        return present;
    }

    /** Adds the pieces from {@code from} up to, but not including, {@code to}. */
    public void addRange(int from, int to) {
        checkPositionIndexes(from, to, capacity);
        for (int word = from / Bits.PER_WORD; word * Bits.PER_WORD < to; word++) {
            long mask = Bits.mask(word, from, to);
            size += Long.bitCount(mask & ~words[word]);
            words[word] |= mask;
        }
    }

    /** Removes the pieces from {@code from} up to, but not including, {@code to}. */
    public void removeRange(int from, int to) {
        checkPositionIndexes(from, to, capacity);
        for (int word = from / Bits.PER_WORD; word * Bits.PER_WORD < to; word++) {
            long mask = Bits.mask(word, from, to);
            size -= Long.bitCount(mask & words[word]);
            words[word] &= ~mask;
        }
    }

    /** Removes all pieces. */
    public void clear() {
        Arrays.fill(words, 0);
        size = 0;
    }

    /** Adds all pieces of the other set. */
    public void addAll(PieceSet other) {
        checkSameCapacity(other);
        size = Bits.or(words, other.words);
    }

    /** Removes all pieces of the other set. */
    public void removeAll(PieceSet other) {
        checkSameCapacity(other);
        size = Bits.andNot(words, other.words);
    }

    /** Keeps only the pieces that are in the other set, too. */
    public void retainAll(PieceSet other) {
        checkSameCapacity(other);
        size = Bits.and(words, other.words);
    }

    /**
     * A new set with some pieces of this one in ascending order: from number {@code first} up to, but not including, number {@code
     * end}.
     */
    public PieceSet slice(int first, int end) {
        checkPositionIndexes(first, end, size);
        PieceSet result = copy();
        int number = 0;
        for (int piece = nextFrom(0); piece >= 0; piece = nextFrom(piece + 1)) {
            if (number < first || number >= end) {
                result.remove(piece);
            }
            number++;
        }
        return result;
    }

    /** A new set with the pieces that are in both. */
    public PieceSet and(PieceSet other) {
        PieceSet result = copy();
        result.retainAll(other);
        return result;
    }

    /** A new set with the pieces of this set that are not in the other. */
    public PieceSet andNot(PieceSet other) {
        PieceSet result = copy();
        result.removeAll(other);
        return result;
    }

    /** Number of pieces that are in both sets. */
    public int countCommon(PieceSet other) {
        checkSameCapacity(other);
        return Bits.countCommon(words, other.words);
    }

    /** The smallest piece, or -1 if the set is empty. */
    public int first() {
        return nextFrom(0);
    }

    /** The smallest piece that is at least {@code from}, or -1. */
    public int nextFrom(int from) {
        return next(from, 0L);
    }

    /** The smallest number at least {@code from} that is not in the set, or {@link #capacity} if all are. */
    public int nextMissingFrom(int from) {
        int missing = next(from, -1L);
        return missing < 0 ? capacity : missing;
    }

    private int next(int from, long flip) {
        checkArgument(from >= 0, "from: %s", from);
        if (from >= capacity) {
            return -1;
        }
        int piece = Bits.next(words, from, flip);
        // bits beyond the capacity are never set, but missing
        return piece < capacity ? piece : -1;
    }

    /** One of the pieces that are in both sets, all equally likely, or -1 if there is none. */
    public int randomCommon(PieceSet other, SeededRandom random) {
        int common = countCommon(other);
        return common == 0 ? -1 : Bits.nth(words, other.words, random.nextInt(common));
    }

    /** Removes the {@code count} smallest pieces, or all if there are fewer, and returns them as a new set. */
    public PieceSet takeFirst(int count) {
        checkArgument(count >= 0, "count: %s", count);
        PieceSet taken = empty(capacity);
        for (int i = 0; i < words.length && taken.size < count; i++) {
            long bits = words[i];
            if (taken.size + Long.bitCount(bits) > count) {
                bits &= ~Bits.withoutLowest(bits, count - taken.size);
            }
            taken.words[i] = bits;
            taken.size += Long.bitCount(bits);
            words[i] &= ~bits;
        }
        size -= taken.size;
        return taken;
    }

    /** Calls the consumer with each piece, smallest first. The set must not change meanwhile. */
    public void forEach(IntConsumer consumer) {
        for (int i = 0; i < words.length; i++) {
            for (long bits = words[i]; bits != 0; bits &= bits - 1) {
                consumer.accept(i * Bits.PER_WORD + Long.numberOfTrailingZeros(bits));
            }
        }
    }

    /** Number of words of the bitmap form: ceil(capacity / 64). */
    public int wordCount() {
        return words.length;
    }

    /** The bits of pieces 64 * index to 64 * index + 63, the smallest in the lowest bit. */
    public long word(int index) {
        return words[index];
    }

    /**
     * A set from its bitmap form.
     *
     * @param words ceil(capacity / 64) words, the smallest piece in the lowest bit of the first; copied
     * @throws IllegalArgumentException if there are too few or too many words, or a bit at or above the capacity is set
     */
    public static PieceSet ofWords(int capacity, long[] words) {
        PieceSet set = empty(capacity);
        checkArgument(words.length == set.words.length, "%s words for %s pieces", words.length, capacity);
        int total = 0;
        for (int i = 0; i < words.length; i++) {
            checkArgument((words[i] & ~Bits.mask(i, 0, capacity)) == 0, "bits beyond %s pieces", capacity);
            set.words[i] = words[i];
            total += Long.bitCount(words[i]);
        }
        set.size = total;
        return set;
    }

    private void checkSameCapacity(PieceSet other) {
        checkArgument(capacity == other.capacity, "capacities differ: %s and %s", capacity, other.capacity);
    }

    @Override
    public boolean equals(@Nullable Object object) {
        return object instanceof PieceSet other
                && capacity == other.capacity
                && size == other.size
                && Arrays.equals(words, other.words);
    }

    @Override
    public int hashCode() {
        return 31 * capacity + Arrays.hashCode(words);
    }

    /** The pieces as ranges, such as {@code 0-3,7 of 12}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int from = first(); from >= 0; ) {
            int to = nextMissingFrom(from);
            text.append(text.isEmpty() ? "" : ",").append(from);
            if (to - from > 1) {
                text.append('-').append(to - 1);
            }
            from = nextFrom(to);
        }
        return text.append(text.isEmpty() ? "none of " : " of ")
                .append(capacity)
                .toString();
    }
}

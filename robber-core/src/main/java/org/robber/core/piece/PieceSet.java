package org.robber.core.piece;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkElementIndex;
import static com.google.common.base.Preconditions.checkPositionIndexes;

import java.util.Arrays;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.robber.core.random.SeededRandom;

/**
 * A set of piece numbers below a fixed capacity, one bit each: a million pieces take 140 kB, and whole-set operations run
 * over 64 pieces at a time. A set takes memory and time for blocks of 2,048 numbers in use, and a reference for each block between
 * its first and its last. Mutable; not thread-safe.
 */
public final class PieceSet {
    private static final int BLOCK_WORDS = 32;
    private static final int PER_BLOCK = BLOCK_WORDS * Bits.PER_WORD;

    /** Stands for each block without pieces; never written. */
    private static final long[] UNUSED = new long[BLOCK_WORDS];

    private static final long[][] NO_BLOCKS = {};

    private final int capacity;

    /** All blocks in use, and those between them. The last one below the capacity is as short as this allows. */
    private long[][] blocks = NO_BLOCKS;

    /** Which block is the first of {@link #blocks}. */
    private int firstBlock;

    private int size;

    private PieceSet(int capacity) {
        this.capacity = capacity;
    }

    /** The empty set of pieces below {@code capacity}, 0..{@link PieceLayout#MAX_PIECES}. */
    public static PieceSet empty(int capacity) {
        checkArgument(capacity >= 0 && capacity <= PieceLayout.MAX_PIECES, "capacity: %s", capacity);
        return new PieceSet(capacity);
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
        PieceSet copy = empty(capacity);
        if (!isEmpty()) {
            int end = blocks.length;
            while (blocks[end - 1] == UNUSED) {
                end--;
            }
            int first = 0;
            while (blocks[first] == UNUSED) {
                first++;
            }
            copy.blocks = Arrays.copyOfRange(blocks, first, end);
            copy.firstBlock = firstBlock + first;
            copy.size = size;
            for (int i = 0; i < copy.blocks.length; i++) {
                if (copy.blocks[i] != UNUSED) {
                    copy.blocks[i] = copy.blocks[i].clone();
                }
            }
        }
        return copy;
    }

    private static int blocksFor(int capacity) {
        return (capacity + PER_BLOCK - 1) / PER_BLOCK;
    }

    private int endBlock() {
        return firstBlock + blocks.length;
    }

    /** The block of this number, for reading. */
    private long[] block(int number) {
        return number >= firstBlock && number < endBlock() ? blocks[number - firstBlock] : UNUSED;
    }

    private boolean isUsed(int number) {
        return block(number) != UNUSED;
    }

    /** The block of this number, for writing. */
    private long[] use(int number) {
        if (!isUsed(number)) {
            makeRoom(number, number + 1);
            blocks[number - firstBlock] = new long[Math.min(BLOCK_WORDS, wordCount() - number * BLOCK_WORDS)];
        }
        return block(number);
    }

    /** Makes room for the blocks from {@code from} up to, but not including, {@code to}. */
    private void makeRoom(int from, int to) {
        if (blocks.length == 0) {
            firstBlock = from;
        }
        int first = Math.min(firstBlock, from);
        int end = Math.max(endBlock(), to);
        if (end - first > blocks.length) {
            long[][] more = new long[end - first][];
            Arrays.fill(more, UNUSED);
            System.arraycopy(blocks, 0, more, firstBlock - first, blocks.length);
            blocks = more;
            firstBlock = first;
        }
    }

    /** Frees the memory of a block if no piece of it is left. */
    private void freeIfClear(int number) {
        if (isUsed(number) && Bits.areClear(block(number))) {
            blocks[number - firstBlock] = UNUSED;
        }
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
        return (word(piece / Bits.PER_WORD) & (1L << piece)) != 0;
    }

    /** Adds a piece; returns whether it was missing. */
    public boolean add(int piece) {
        boolean missing = !contains(piece);
        if (missing) {
            use(piece / PER_BLOCK)[piece / Bits.PER_WORD % BLOCK_WORDS] |= 1L << piece;
            size++;
        }
        return missing;
    }

    /** Removes a piece; returns whether it was there. */
    public boolean remove(int piece) {
        boolean present = contains(piece);
        if (present) {
            block(piece / PER_BLOCK)[piece / Bits.PER_WORD % BLOCK_WORDS] &= ~(1L << piece);
            size--;
        }
        return present;
    }

    /** Adds the pieces from {@code from} up to, but not including, {@code to}. */
    public void addRange(int from, int to) {
        checkPositionIndexes(from, to, capacity);
        if (from < to) {
            makeRoom(from / PER_BLOCK, blocksFor(to));
        }
        for (int word = from / Bits.PER_WORD; word * Bits.PER_WORD < to; word++) {
            long missing = Bits.mask(word, from, to) & ~word(word);
            if (missing != 0) {
                use(word / BLOCK_WORDS)[word % BLOCK_WORDS] |= missing;
                size += Long.bitCount(missing);
            }
        }
    }

    /** Removes the pieces from {@code from} up to, but not including, {@code to}. */
    public void removeRange(int from, int to) {
        checkPositionIndexes(from, to, capacity);
        for (int word = from / Bits.PER_WORD; word * Bits.PER_WORD < to; word++) {
            long present = Bits.mask(word, from, to) & word(word);
            if (present != 0) {
                block(word / BLOCK_WORDS)[word % BLOCK_WORDS] &= ~present;
                size -= Long.bitCount(present);
            }
        }
        for (int number = from / PER_BLOCK; number * PER_BLOCK < to; number++) {
            freeIfClear(number);
        }
    }

    /** Removes all pieces. */
    public void clear() {
        blocks = NO_BLOCKS;
        size = 0;
    }

    /** Adds all pieces of the other set. */
    public void addAll(PieceSet other) {
        checkSameCapacity(other);
        if (other.isEmpty()) {
            return;
        }
        makeRoom(other.firstBlock, other.endBlock());
        for (int number = other.firstBlock; number < other.endBlock(); number++) {
            if (other.isUsed(number)) {
                size += Bits.or(use(number), other.block(number));
            }
        }
    }

    /** Removes all pieces of the other set. */
    public void removeAll(PieceSet other) {
        checkSameCapacity(other);
        for (int number = firstBlock; number < endBlock(); number++) {
            if (isUsed(number) && other.isUsed(number)) {
                size -= Bits.andNot(block(number), other.block(number));
                freeIfClear(number);
            }
        }
    }

    /** Keeps only the pieces that are in the other set, too. */
    public void retainAll(PieceSet other) {
        checkSameCapacity(other);
        for (int number = firstBlock; number < endBlock(); number++) {
            if (isUsed(number)) {
                size -= Bits.and(block(number), other.block(number));
                freeIfClear(number);
            }
        }
    }

    /**
     * A new set with some pieces of this one in ascending order: from number {@code first} up to, but not including, number {@code
     * end}.
     */
    public PieceSet slice(int first, int end) {
        checkPositionIndexes(first, end, size);
        PieceSet rest = copy();
        rest.takeFirst(first);
        return rest.takeFirst(end - first);
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
        int total = 0;
        for (int number = firstBlock; number < endBlock(); number++) {
            total += countCommon(number, other);
        }
        return total;
    }

    private int countCommon(int number, PieceSet other) {
        long[] words = block(number);
        long[] others = other.block(number);
        return words == UNUSED || others == UNUSED ? 0 : Bits.countCommon(words, others);
    }

    /** The smallest piece, or -1 if the set is empty. */
    public int first() {
        return nextFrom(0);
    }

    /** The smallest piece that is at least {@code from}, or -1. */
    public int nextFrom(int from) {
        checkArgument(from >= 0, "from: %s", from);
        for (int number = Math.max(from / PER_BLOCK, firstBlock); from < capacity && number < endBlock(); number++) {
            int bit = isUsed(number) ? Bits.next(block(number), Math.max(0, from - number * PER_BLOCK), 0) : -1;
            if (bit >= 0) {
                return number * PER_BLOCK + bit;
            }
        }
        return -1;
    }

    /** The smallest number at least {@code from} that is not in the set, or {@link #capacity} if all are. */
    public int nextMissingFrom(int from) {
        checkArgument(from >= 0, "from: %s", from);
        int missing = from;
        for (int number = from / PER_BLOCK; missing < capacity && number < endBlock(); number++) {
            int bit = Bits.next(block(number), missing - number * PER_BLOCK, -1);
            if (bit >= 0) {
                missing = number * PER_BLOCK + bit;
                break;
            }
            missing = (number + 1) * PER_BLOCK;
        }
        // bits beyond the capacity are never set, but missing
        return Math.min(missing, capacity);
    }

    /** One of the pieces that are in both sets, all equally likely, or -1 if there is none. */
    public int randomCommon(PieceSet other, SeededRandom random) {
        int common = countCommon(other);
        if (common == 0) {
            return -1;
        }
        int skip = random.nextInt(common);
        int number = firstBlock;
        for (int here = countCommon(number, other); here <= skip; here = countCommon(number, other)) {
            skip -= here;
            number++;
        }
        return number * PER_BLOCK + Bits.nth(block(number), other.block(number), skip);
    }

    /** Removes the {@code count} smallest pieces, or all if there are fewer, and returns them as a new set. */
    public PieceSet takeFirst(int count) {
        checkArgument(count >= 0, "count: %s", count);
        PieceSet taken = empty(capacity);
        for (int number = firstBlock; number < endBlock() && taken.size < count; number++) {
            if (isUsed(number)) {
                taken.size += Bits.moveFirst(block(number), taken.use(number), count - taken.size);
                freeIfClear(number);
            }
        }
        size -= taken.size;
        return taken;
    }

    /** Calls the consumer with each piece, smallest first. The set must not change meanwhile. */
    public void forEach(IntConsumer consumer) {
        for (int number = firstBlock; number < endBlock(); number++) {
            if (isUsed(number)) {
                Bits.forEach(block(number), number * PER_BLOCK, consumer);
            }
        }
    }

    /** Number of words of the bitmap form: ceil(capacity / 64). */
    public int wordCount() {
        return Bits.wordsFor(capacity);
    }

    /** The bits of pieces 64 * index to 64 * index + 63, the smallest in the lowest bit. */
    public long word(int index) {
        return block(index / BLOCK_WORDS)[index % BLOCK_WORDS];
    }

    /** The first word, the one of index {@code from} or after it, that has pieces of both sets; -1 if there is none. */
    public int nextCommonWord(PieceSet other, int from) {
        checkSameCapacity(other);
        for (int number = Math.max(from / BLOCK_WORDS, firstBlock); number < endBlock(); number++) {
            long[] words = block(number);
            long[] others = other.block(number);
            if (words != UNUSED && others != UNUSED) {
                for (int i = Math.max(0, from - number * BLOCK_WORDS); i < words.length; i++) {
                    if ((words[i] & others[i]) != 0) {
                        return number * BLOCK_WORDS + i;
                    }
                }
            }
        }
        return -1;
    }

    /**
     * A set from its bitmap form.
     *
     * @param words ceil(capacity / 64) words, the smallest piece in the lowest bit of the first; copied
     * @throws IllegalArgumentException if there are too few or too many words, or a bit at or above the capacity is set
     */
    public static PieceSet ofWords(int capacity, long[] words) {
        PieceSet set = empty(capacity);
        checkArgument(words.length == set.wordCount(), "%s words for %s pieces", words.length, capacity);
        set.makeRoom(0, blocksFor(capacity));
        for (int i = 0; i < words.length; i++) {
            checkArgument((words[i] & ~Bits.mask(i, 0, capacity)) == 0, "bits beyond %s pieces", capacity);
            if (words[i] != 0) {
                set.use(i / BLOCK_WORDS)[i % BLOCK_WORDS] = words[i];
                set.size += Long.bitCount(words[i]);
            }
        }
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
                && size == countCommon(other);
    }

    @Override
    public int hashCode() {
        int hash = capacity;
        for (int word = 0; word < wordCount(); word++) {
            hash = 31 * hash + Long.hashCode(word(word));
        }
        return hash;
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

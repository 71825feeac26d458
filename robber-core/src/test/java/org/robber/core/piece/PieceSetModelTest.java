package org.robber.core.piece;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;

/** Random operations on a {@link PieceSet} and on a {@link BitSet}, which must agree after each of them: a few words, or several blocks. */
class PieceSetModelTest {

    private static final int BLOCK = 2_048;

    @Test
    void agreesWithBitSet() {
        SeededRuns.run(300, random -> {
            int capacity = random.nextInt(4) == 0 ? 64 * random.nextInt(4) : random.nextInt(260);
            agrees(random, capacity, 60);
        });
    }

    @Test
    void agreesWithBitSetOverBlocks() {
        SeededRuns.run(60, random -> {
            int capacity = random.nextInt(4) == 0 ? BLOCK * (1 + random.nextInt(4)) : BLOCK + random.nextInt(4 * BLOCK);
            agrees(random, capacity, 30);
        });
    }

    private static void agrees(SeededRandom random, int capacity, int steps) {
        PieceSet set = PieceSet.empty(capacity);
        BitSet model = new BitSet(capacity);
        for (int step = 0; step < steps; step++) {
            apply(random, set, model);
            assertSame(set, model);
            assertQueries(random, set, model);
        }
    }

    private static void apply(SeededRandom random, PieceSet set, BitSet model) {
        int capacity = set.capacity();
        int from = random.nextInt(capacity + 1);
        int to = from + random.nextInt(capacity - from + 1);
        BitSet other = randomBits(random, capacity);
        switch (random.nextInt(9)) {
            case 0 -> {
                if (from < capacity) {
                    assertThat(set.add(from)).isEqualTo(!model.get(from));
                    model.set(from);
                }
            }
            case 1 -> {
                if (from < capacity) {
                    assertThat(set.remove(from)).isEqualTo(model.get(from));
                    model.clear(from);
                }
            }
            case 2 -> {
                set.addRange(from, to);
                model.set(from, to);
            }
            case 3 -> {
                set.addAll(toSet(other, capacity));
                model.or(other);
            }
            case 4 -> {
                set.removeAll(toSet(other, capacity));
                model.andNot(other);
            }
            case 5 -> {
                set.retainAll(toSet(other, capacity));
                model.and(other);
            }
            case 6 -> {
                int count = random.nextInt(capacity + 2);
                BitSet taken = new BitSet();
                model.stream().limit(count).forEach(taken::set);
                assertSame(set.takeFirst(count), taken);
                model.andNot(taken);
            }
            case 7 -> {
                set.removeRange(from, to);
                model.clear(from, to);
            }
            default -> {
                if (random.nextInt(10) == 0) {
                    set.clear();
                    model.clear();
                }
            }
        }
    }

    private static void assertQueries(SeededRandom random, PieceSet set, BitSet model) {
        int capacity = set.capacity();
        int from = random.nextInt(capacity + 3);
        assertThat(set.first()).isEqualTo(model.nextSetBit(0));
        assertThat(set.nextFrom(from)).isEqualTo(model.nextSetBit(from));
        assertThat(set.nextMissingFrom(from)).isEqualTo(Math.min(capacity, model.nextClearBit(from)));

        BitSet other = randomBits(random, capacity);
        PieceSet otherSet = toSet(other, capacity);
        BitSet common = (BitSet) model.clone();
        common.and(other);
        assertThat(set.countCommon(otherSet)).isEqualTo(common.cardinality());
        assertSame(set.and(otherSet), common);
        BitSet difference = (BitSet) model.clone();
        difference.andNot(other);
        assertSame(set.andNot(otherSet), difference);

        int firstCommon = common.nextSetBit(from / 64 * 64);
        assertThat(set.nextCommonWord(otherSet, from / 64)).isEqualTo(firstCommon < 0 ? -1 : firstCommon / 64);

        int drawn = set.randomCommon(otherSet, random);
        assertThat(drawn < 0 ? common.isEmpty() : common.get(drawn)).isTrue();
    }

    private static void assertSame(PieceSet set, BitSet model) {
        BitSet seen = new BitSet();
        set.forEach(seen::set);
        assertThat(seen).isEqualTo(model);
        assertThat(set.size()).isEqualTo(model.cardinality());
        assertThat(set.isEmpty()).isEqualTo(model.isEmpty());
        assertThat(set.isFull()).isEqualTo(model.cardinality() == set.capacity());
        PieceSet same = toSet(model, set.capacity());
        assertThat(set).isEqualTo(same).hasSameHashCodeAs(same).isEqualTo(set.copy());
    }

    private static PieceSet toSet(BitSet bits, int capacity) {
        PieceSet set = PieceSet.empty(capacity);
        bits.stream().forEach(set::add);
        return set;
    }

    private static BitSet randomBits(SeededRandom random, int capacity) {
        BitSet bits = new BitSet(capacity);
        int from = random.nextInt(2) * random.nextInt(capacity + 1);
        int to = random.nextInt(2) == 0 ? capacity : from + random.nextInt(capacity - from + 1);
        int oneIn = 1 + random.nextInt(5);
        for (int bit = from; bit < to; bit++) {
            bits.set(bit, random.nextInt(oneIn) == 0);
        }
        return bits;
    }
}

package org.robber.core.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeededRandomTest {

    @Test
    void givesThePublishedNumbersOfSplitMix64() {
        SeededRandom zero = new SeededRandom(0);
        assertThat(zero.nextLong()).isEqualTo(0xE220A8397B1DCDAFL);
        assertThat(zero.nextLong()).isEqualTo(0x6E789E6AA1B965F4L);
        assertThat(zero.nextLong()).isEqualTo(0x06C45D188009454FL);

        SeededRandom other = new SeededRandom(1234567);
        assertThat(other.nextLong()).isEqualTo(6457827717110365317L);
        assertThat(other.nextLong()).isEqualTo(3203168211198807973L);
    }

    @Test
    void agreesWithTheGeneratorOfTheJdk() {
        SeededRuns.run(20, random -> {
            long seed = random.nextLong();
            SeededRandom ours = new SeededRandom(seed);
            SplittableRandom theirs = new SplittableRandom(seed);
            for (int i = 0; i < 100; i++) {
                assertThat(ours.nextLong()).isEqualTo(theirs.nextLong());
            }
        });
    }

    /** Whatever a plan or a node draws hangs on these; other numbers would be another protocol version. */
    @Test
    void derivedNumbersStayWhatTheyAre() {
        SeededRandom derived = SeededRandom.forUse(42, 7);
        assertThat(derived.nextLong()).isEqualTo(0x6E2CFCC57677FDD4L);
        assertThat(derived.nextInt(1000)).isEqualTo(677);
    }

    @Test
    void usesOfOneSeedDiffer() {
        Set<Long> first = new HashSet<>();
        for (int use = -500; use < 500; use++) {
            first.add(SeededRandom.forUse(42, use).nextLong());
        }
        assertThat(first).hasSize(1000);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 64, 100})
    void numbersBelowABoundAreUniform(int bound) {
        SeededRandom random = new SeededRandom(bound);
        int draws = 20_000 * bound;
        int[] seen = new int[bound];
        for (int i = 0; i < draws; i++) {
            seen[random.nextInt(bound)]++;
        }
        // Expected 20,000 each, with a standard deviation of at most 141; the seed is fixed, so this cannot flicker.
        assertThat(Arrays.stream(seen)).allMatch(count -> Math.abs(count - 20_000) < 6 * 141);
    }

    /** With three quarters of 2^32 as the bound, taking the remainder would give the lower third twice as often. */
    @Test
    void largeBoundsAreUnbiased() {
        SeededRandom random = new SeededRandom(3);
        int bound = 3 << 29;
        int low = 0;
        for (int i = 0; i < 300_000; i++) {
            int number = random.nextInt(bound);
            assertThat(number).isBetween(0, bound - 1);
            low += number < 1 << 29 ? 1 : 0;
        }
        assertThat(low).isBetween(100_000 - 6 * 258, 100_000 + 6 * 258);
    }

    @Test
    void doublesAndBooleansAreUniform() {
        SeededRandom random = new SeededRandom(5);
        double sum = 0;
        int heads = 0;
        for (int i = 0; i < 100_000; i++) {
            double number = random.nextDouble();
            assertThat(number).isGreaterThanOrEqualTo(0.0).isLessThan(1.0);
            sum += number;
            heads += random.nextBoolean() ? 1 : 0;
        }
        assertThat(sum / 100_000).isBetween(0.49, 0.51);
        assertThat(heads).isBetween(49_000, 51_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void refusesABoundThatLeavesNoNumber(int bound) {
        SeededRandom random = new SeededRandom(1);
        assertThatThrownBy(() -> random.nextInt(bound))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("bound: %s", bound);
    }
}

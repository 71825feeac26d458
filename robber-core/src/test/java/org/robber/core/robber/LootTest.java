package org.robber.core.robber;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRandom;

class LootTest {

    @Test
    void isTheSmallerHalf() {
        assertThat(Loot.size(0, true, 0, 9)).isZero();
        assertThat(Loot.size(2, true, 9, 0)).isEqualTo(1);
        assertThat(Loot.size(3, true, 0, 0)).isEqualTo(1);
        assertThat(Loot.size(100, true, 0, 0)).isEqualTo(50);
    }

    @Test
    void aSinglePieceGoesToAThiefThatHasStolenMore() {
        assertThat(Loot.size(1, true, 3, 4)).isEqualTo(1);
        assertThat(Loot.size(1, true, 3, 3)).isZero();
        assertThat(Loot.size(1, true, 3, 2)).isZero();
    }

    @Test
    void aVictimThatCannotStealGivesEverything() {
        assertThat(Loot.size(7, false, 0, 0)).isEqualTo(7);
        assertThat(Loot.size(1, false, 0, 0)).isEqualTo(1);
    }

    /** Members without work rob random mates, while no piece ever arrives: all the robbing ends by itself. */
    @Test
    void workIsNotPassedBackAndForthForEver() {
        for (long seed = 0; seed < 2_000; seed++) {
            SeededRandom random = new SeededRandom(seed);
            int members = 2 + random.nextInt(7);
            int[] stolen = new int[members];
            int[] work = new int[members];
            Arrays.setAll(stolen, member -> random.nextInt(4));
            Arrays.setAll(work, member -> random.nextInt(5));
            int steals = 0;
            while (robOnce(work, stolen, random)) {
                steals++;
                assertThat(steals).as("steals, seed %s", seed).isLessThanOrEqualTo(members * members);
            }
        }
    }

    /** Lets one random idle member rob some mate; returns whether anybody could. */
    private static boolean robOnce(int[] work, int[] stolen, SeededRandom random) {
        int members = work.length;
        int first = random.nextInt(members * members);
        for (int i = 0; i < members * members; i++) {
            int thief = (first + i) % (members * members) / members;
            int victim = (first + i) % members;
            int loot = work[thief] > 0 ? 0 : Loot.size(work[victim], true, stolen[victim], stolen[thief]);
            if (loot > 0) {
                work[victim] -= loot;
                work[thief] += loot;
                return true;
            }
        }
        return false;
    }
}

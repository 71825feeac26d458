package org.robber.core.steal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.core.piece.PieceLayout;
import org.robber.core.protocol.Message;
import org.robber.core.random.SeededRandom;

class WorkSplitTest {

    @Test
    void levelsTheWorkByHowFastBothWere() {
        // 10 pieces in all, and the thief was four times as fast.
        assertThat(WorkSplit.bySpeed(8, true, 19, new Message.Steal(79, 2))).isEqualTo(6);
        // As fast as the victim, and with as much work or more.
        assertThat(WorkSplit.bySpeed(8, true, 27, new Message.Steal(27, 8))).isZero();
        assertThat(WorkSplit.bySpeed(8, true, 27, new Message.Steal(27, 80))).isZero();
        // An unevenness of an eighth is left alone, more is not.
        assertThat(WorkSplit.bySpeed(16, true, 29, new Message.Steal(29, 12))).isZero();
        assertThat(WorkSplit.bySpeed(16, true, 29, new Message.Steal(29, 10))).isEqualTo(3);
    }

    /** Which of two gateways gets the first pieces is chance, and one got nearly all the work of its cluster. */
    @Test
    void aVictimThatHasStolenLittleGivesNothingToAThiefWithWork() {
        assertThat(WorkSplit.bySpeed(763, true, 0, new Message.Steal(16, 747))).isZero();
        assertThat(WorkSplit.bySpeed(763, true, 11, new Message.Steal(160, 600)))
                .isZero();
        assertThat(WorkSplit.bySpeed(763, true, 11, new Message.Steal(160, 0))).isPositive();
        assertThat(WorkSplit.bySpeed(763, true, 12, new Message.Steal(160, 600)))
                .isPositive();
    }

    @Test
    void aThiefWithoutWorkGetsSomethingAndNeverEverything() {
        assertThat(WorkSplit.bySpeed(100, true, 0, new Message.Steal(0, 0))).isEqualTo(50);
        assertThat(WorkSplit.bySpeed(100, true, 1_000, new Message.Steal(0, 0))).isEqualTo(1);
        assertThat(WorkSplit.bySpeed(10, true, 0, new Message.Steal(1_000, 0))).isEqualTo(9);
        assertThat(WorkSplit.bySpeed(1, true, 3, new Message.Steal(4, 0))).isEqualTo(1);
        assertThat(WorkSplit.bySpeed(1, true, 3, new Message.Steal(3, 0))).isZero();
        assertThat(WorkSplit.bySpeed(0, true, 3, new Message.Steal(4, 0))).isZero();
        assertThat(WorkSplit.bySpeed(0, true, 3, new Message.Steal(4, 9))).isZero();
    }

    @Test
    void nothingOverflows() {
        int most = PieceLayout.MAX_PIECES;
        assertThat(WorkSplit.bySpeed(most, true, most, new Message.Steal(most, most)))
                .isZero();
        assertThat(WorkSplit.bySpeed(most, true, 0, new Message.Steal(most, 0))).isEqualTo(most - 1);
    }

    @Test
    void isTheSmallerHalf() {
        assertThat(WorkSplit.half(0, true, 0, 9)).isZero();
        assertThat(WorkSplit.half(2, true, 9, 0)).isEqualTo(1);
        assertThat(WorkSplit.half(3, true, 0, 0)).isEqualTo(1);
        assertThat(WorkSplit.half(100, true, 0, 0)).isEqualTo(50);
    }

    @Test
    void aSinglePieceGoesToAThiefThatHasStolenMore() {
        assertThat(WorkSplit.half(1, true, 3, 4)).isEqualTo(1);
        assertThat(WorkSplit.half(1, true, 3, 3)).isZero();
        assertThat(WorkSplit.half(1, true, 3, 2)).isZero();
    }

    @Test
    void aVictimThatCannotStealGivesEverything() {
        assertThat(WorkSplit.half(7, false, 0, 0)).isEqualTo(7);
        assertThat(WorkSplit.half(1, false, 0, 0)).isEqualTo(1);
        assertThat(WorkSplit.bySpeed(7, false, 9, new Message.Steal(0, 100))).isEqualTo(7);
    }

    /** Members without work rob random mates, while no piece ever arrives: all the robbing ends by itself. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void workIsNotPassedBackAndForthForEver(boolean bySpeed) {
        for (long seed = 0; seed < 2_000; seed++) {
            SeededRandom random = new SeededRandom(seed);
            int members = 2 + random.nextInt(7);
            int[] stolen = new int[members];
            int[] work = new int[members];
            Arrays.setAll(stolen, member -> random.nextInt(4));
            Arrays.setAll(work, member -> random.nextInt(5));
            int steals = 0;
            while (robOnce(work, stolen, bySpeed, random)) {
                steals++;
                assertThat(steals).as("steals, seed %s", seed).isLessThanOrEqualTo(members * members);
            }
        }
    }

    /** Lets one random idle member rob some mate; returns whether anybody could. */
    private static boolean robOnce(int[] work, int[] stolen, boolean bySpeed, SeededRandom random) {
        int members = work.length;
        int first = random.nextInt(members * members);
        for (int i = 0; i < members * members; i++) {
            int thief = (first + i) % (members * members) / members;
            int victim = (first + i) % members;
            int given = 0;
            if (work[thief] == 0) {
                given = bySpeed
                        ? WorkSplit.bySpeed(work[victim], true, stolen[victim], new Message.Steal(stolen[thief], 0))
                        : WorkSplit.half(work[victim], true, stolen[victim], stolen[thief]);
            }
            if (given > 0) {
                work[victim] -= given;
                work[thief] += given;
                return true;
            }
        }
        return false;
    }
}

package org.robber.core.steal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.Memory;
import org.robber.core.node.TimerKey;
import org.robber.core.tuning.Tuning;

/** The work of a lost cluster mate is taken over by its peers. */
class OrphanedWorkTest {
    private static final String WAIT = "orphaned_work at 250000000";

    @Test
    void anHeirTakesOverWhatNobodyOffersAndNothingTwice() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 9, 1, 1, 3).startWith(0, 2, 3);
        assertThat(node.ownWork()).isEqualTo("0-2");
        assertThat(node.die(2)).contains(WAIT);
        assertThat(node.ownWork()).isEqualTo("0-2");
        assertThat(quietPeriod(node)).containsExactly("0: desire 0-8", "3: found-work");
        assertThat(node.receive(3, "found-work")).containsExactly(WAIT);
        assertThat(node.fire(TimerKey.ORPHANED_WORK)).isEmpty();
        assertThat(node.ownWork()).isEqualTo("0-8");
    }

    @Test
    void theNextSuccessorWaitsOneQuietPeriodMore() {
        ScriptedNode node = ScriptedNode.connectedToAll(3, 9, 1, 1, 3).startWith(0, 1, 2);
        assertThat(node.die(2)).contains(WAIT);
        assertThat(quietPeriod(node)).containsExactly(WAIT);
        assertThat(node.ownWork()).isEqualTo("6-8");
        assertThat(quietPeriod(node)).containsExactly("0: desire 0-8", "1: found-work");
        assertThat(node.ownWork()).isEqualTo("0-8");
    }

    /** Found by seed 30000032 of random faults: each successor waited for the others, and the job for all of them. */
    @Test
    void aSuccessorThatWaitsForAnotherSaysWhatItLacks() {
        ScriptedNode node = ScriptedNode.connectedToAll(3, 9, 1, 1, 3).startWith(0, 1, 2);
        node.die(2);
        assertThat(node.fire(TimerKey.NO_PROGRESS)).contains("starved");
    }

    @Test
    void aSuccessorThatLacksNothingIsNotWaitedFor() {
        ScriptedNode node = ScriptedNode.connectedToAll(3, 9, 1, 1, 3).startWith(0, 1, 2);
        node.die(2);
        node.receive(1, "done");
        quietPeriod(node);
        assertThat(node.ownWork()).isEqualTo("0-8");
    }

    @Test
    void aSuccessorThatIsDeadIsNotWaitedFor() {
        ScriptedNode node = ScriptedNode.connectedToAll(3, 9, 1, 1, 3).startWith(0, 1, 2);
        node.die(2);
        node.die(1);
        quietPeriod(node);
        assertThat(node.ownWork()).isEqualTo("0-8");
    }

    @Test
    void whileMatesGetNewPiecesNothingIsTakenOver() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 9, 1, 1, 3).startWith(0, 2, 3);
        assertThat(node.die(2)).contains(WAIT);
        assertThat(node.receive(3, "have 8")).contains("3: request 8");
        assertThat(quietPeriod(node)).containsExactly(WAIT);
        assertThat(node.ownWork()).isEqualTo("0-2");
        node.fire(TimerKey.ORPHANED_WORK);
        assertThat(node.ownWork()).isEqualTo("0-7");
    }

    /** That may be the successor before this one: it has taken over the same pieces, and offers none yet. */
    @Test
    void whileMatesFindWorkNothingIsTakenOver() {
        ScriptedNode node = ScriptedNode.connectedToAll(3, 9, 1, 1, 3).startWith(0, 1, 2);
        node.die(2);
        quietPeriod(node);
        node.receive(1, "found-work");
        assertThat(quietPeriod(node)).containsExactly(WAIT);
        quietPeriod(node);
        assertThat(node.ownWork()).isEqualTo("6-8");
        node.fire(TimerKey.ORPHANED_WORK);
        assertThat(node.ownWork()).isEqualTo("0-8");
    }

    @Test
    void workThatAMateFoundBeforeTheDeathIsNotWaitedFor() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 9, 1, 1, 3).startWith(0, 2, 3);
        node.receive(3, "found-work");
        node.die(2);
        quietPeriod(node);
        assertThat(node.ownWork()).isEqualTo("0-8");
    }

    @Test
    void successorsWaitAsLongAsAnAnswerTakesFromOutsideButNotForEver() {
        assertThat(loseAMateAfterAnAnswerThatTook(400_000_000)).contains("orphaned_work at 500000000");
        assertThat(loseAMateAfterAnAnswerThatTook(10_000_000))
                .as("a quarter of a second at least")
                .contains("orphaned_work at 72500000");
        assertThat(loseAMateAfterAnAnswerThatTook(9_000_000_000L))
                .as("slow lines take longer")
                .contains("orphaned_work at 11250000000");
        assertThat(loseAMateAfterAnAnswerThatTook(50_000_000_000L))
                .as("ten seconds at most")
                .contains("orphaned_work at 52500000000");
    }

    private static List<String> loseAMateAfterAnAnswerThatTook(long nanos) {
        ScriptedNode node = ScriptedNode.connectedToAll(StealingVariant.IMPROVED, 1, 9, 1, 1, 3)
                .startWith(0, 2, 3);
        assertThat(node.receive(0, "bitfield 0")).contains("0: request 0");
        node.at(nanos).store(0, 0);
        return node.die(2);
    }

    @Test
    void aConnectionThatBreaksLeavesNoWork() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 9, 1, 1, 3).startWith(0, 2, 3);
        assertThat(node.lose(2)).doesNotContain(WAIT);
        assertThat(node.ready(2)).doesNotContain(WAIT);
        assertThat(node.fire(TimerKey.ORPHANED_WORK)).isEmpty();
        assertThat(node.ownWork()).isEqualTo("0-2");
    }

    /** Its pieces may have reached no other mate. */
    @Test
    void theWorkOfALivingMateThatWasSentAwayIsTakenOver() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 9, 1, 1, 3).startWith(0, 2, 3);
        assertThat(node.receive(2, "stop")).contains("disconnect 2: stop before both are done", WAIT);
        assertThat(quietPeriod(node)).containsExactly("0: desire 0-8", "3: found-work");
        assertThat(node.ownWork()).isEqualTo("0-8");
    }

    /** It may have sent this node away, or the way between them is cut. */
    @Test
    void theWorkOfALivingMateThatDoesNotComeBackIsTakenOver() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 9, 1, 1, 3).startWith(0, 2, 3);
        assertThat(node.lose(2)).contains("absent_mate at 10000000000").doesNotContain(WAIT);
        assertThat(node.lose(3)).doesNotContain("absent_mate at 10000000000");
        assertThat(node.fire(TimerKey.ABSENT_MATE)).contains(WAIT, "absent_mate at 10000000000");
        assertThat(quietPeriod(node)).containsExactly("0: desire 0-8");
        assertThat(node.ownWork()).isEqualTo("0-8");
    }

    @Test
    void aMateThatComesBackKeepsItsWork() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 9, 1, 1, 3).startWith(0, 2, 3);
        node.lose(2);
        node.ready(2);
        assertThat(node.fire(TimerKey.ABSENT_MATE)).isEmpty();
    }

    @Test
    void aMateThatComesBackAndIsLostAgainHasItsTimeAnew() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 9, 1, 1, 3).startWith(0, 2, 3);
        node.lose(2);
        node.at(1_000_000_000).ready(2);
        assertThat(node.at(9_000_000_000L).lose(2)).contains("absent_mate at 19000000000");
    }

    /** Found by fault plan 3019068 of the simulator: the victim had given the work away, and nobody received it. */
    @Test
    void workThatIsLostOnItsWayIsTakenOverByTheThief() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 9, 1, 1, 3).startWith(0, 2, 3);
        node.receive(2, "bitfield 0-2");
        assertThat(node.receive(2, "found-work")).contains("2: steal 0");
        assertThat(node.lose(2)).contains(WAIT);
        assertThat(quietPeriod(node)).containsExactly("0: desire 0-8", "3: found-work");
    }

    @Test
    void whereNothingIsToBeTakenOverTheNextLookWaitsForAnEvent() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 9, 1, 1, 3).startWith(0, 2, 3);
        node.receive(3, "bitfield 0-8");
        assertThat(node.die(2)).contains(WAIT);
        assertThat(node.fire(TimerKey.ORPHANED_WORK)).isEmpty();
        assertThat(node.receive(0, "have 0")).contains(WAIT);
    }

    /** A node that joins or returns has successors from the start, and hears one event for each of its pieces. */
    @Test
    void thePiecesAreNotLookedAtForEachEvent() {
        int pieceCount = 1 << 20;
        ScriptedNode node = ScriptedNode.connectedToAll(1, pieceCount, 1, 1, 3).startWith(0, 2, 3);
        node.receive(3, "bitfield 0-" + (pieceCount - 1));
        node.die(2);
        node.receive(0, "bitfield none");
        long before = Memory.allocatedBytes();
        for (int piece = 0; piece < 100; piece++) {
            node.receive(0, "have " + piece);
        }
        assertThat(Memory.allocatedBytes() - before)
                .as("less than one set of all pieces for each event")
                .isLessThan(100L * pieceCount / 8);
    }

    @Test
    void theLossOfAPeerElsewhereLeavesNoWork() {
        ScriptedNode node = ScriptedNode.connectedToAll(1, 9, 1, 1, 3).startWith(0, 2, 3);
        assertThat(node.die(0)).doesNotContain(WAIT);
    }

    @Test
    void inTheRootsClusterAMateThatTookWorkOverIsRelievedOfIt() {
        ScriptedNode mateOfRoot = ScriptedNode.connectedToAll(1, 4, 5, 3, 2).startWith(0, 2, 3);
        assertThat(mateOfRoot.receive(2, "found-work")).containsExactly("2: steal 0");
    }

    /** All looks of a quiet period; returns what the node does at the last one. */
    private static List<String> quietPeriod(ScriptedNode node) {
        for (int look = 1; look < Tuning.LOOKS_PER_QUIET_PERIOD; look++) {
            assertThat(node.fire(TimerKey.ORPHANED_WORK)).as("look %s", look).containsExactly(WAIT);
        }
        return node.fire(TimerKey.ORPHANED_WORK);
    }
}

package org.robber.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JudgementTest {
    private static final CopyState WHOLE = state("all", "all", 0, false);
    private static final CopyState LESS = state("some", "all", 2, false);
    private static final CopyState GONE = state("none", "all", 3, true);
    private static final CopyState UNKNOWN = CopyState.of(null);

    private static CopyState state(String own, String recorded, int replaced, boolean isGone, String... problems) {
        return new CopyState(own, "", 1, 0, "xxh3-128", recorded, replaced, isGone, List.of(problems));
    }

    @Test
    void copiesOfWhichTheSameIsLeftAreRight() {
        Judgement judged = Judgement.of(List.of(LESS, LESS), 0);
        assertThat(judged.statuses()).containsExactly("right", "right");
        assertThat(judged.damaged()).isEmpty();
    }

    /** Nobody knows whose bytes came last. */
    @Test
    void nodesWithOneRecordThatDifferOnWhatIsLeftAreDisputed() {
        Judgement judged = Judgement.of(List.of(UNKNOWN, LESS, WHOLE), 0);
        assertThat(judged.statuses()).containsExactly("unknown", "right", "different");
        assertThat(judged.isDisputed()).isTrue();
        CopyState damaged = state("all", "all", 0, false, "x: is missing");
        assertThat(Judgement.of(List.of(damaged, LESS), 0).isDisputed()).isTrue();
        CopyState otherVersion = state("other", "other", 0, false);
        assertThat(Judgement.of(List.of(otherVersion, LESS), 0).isDisputed()).isFalse();
    }

    @Test
    void aCopyOfWhichNothingIsLeftNeedsNoRecordOnAllNodes() {
        Judgement judged = Judgement.of(List.of(UNKNOWN, UNKNOWN, GONE), 1);
        assertThat(judged.statuses()).containsExactly("replaced", "replaced");
        assertThat(judged.damaged()).isEmpty();
    }

    @Test
    void nothingIsRepairedFromACopyOfWhichNothingIsLeft() {
        CopyState damaged = state("other", "other", 0, false, "x: is missing");
        Judgement judged = Judgement.of(List.of(GONE, damaged), 0);
        assertThat(judged.donor()).isEqualTo(-1);
        assertThat(judged.damaged()).containsExactly(1);
    }

    @Test
    void aCopyOfWhichNobodyKnowsIsNotReplaced() {
        assertThat(Judgement.of(List.of(UNKNOWN, UNKNOWN), 0).damaged()).containsExactly(0, 1);
    }
}

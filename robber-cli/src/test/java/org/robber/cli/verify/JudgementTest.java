package org.robber.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JudgementTest {
    private static final CopyState WHOLE = state("all", 0, false);
    private static final CopyState LESS = state("some", 2, false);
    private static final CopyState GONE = state("none", 3, true);
    private static final CopyState UNKNOWN = CopyState.of(null, 0);

    private static CopyState state(String fingerprint, int replaced, boolean isGone, String... problems) {
        return state(fingerprint, replaced, isGone, 1, problems);
    }

    private static CopyState state(
            String fingerprint, int replaced, boolean isGone, long recordedNanos, String... problems) {
        return new CopyState(fingerprint, "", 1, 0, "xxh3-128", replaced, isGone, recordedNanos, List.of(problems));
    }

    /** A node missed the last run. */
    @Test
    void theCopyThatWasRecordedLastIsTheModel() {
        CopyState old = state("old", 0, false, 1);
        CopyState current = state("new", 0, false, 3);
        Judgement judged = Judgement.of(List.of(old, state("new", 0, false, 2), current), 0);
        assertThat(judged.donor()).isEqualTo(1);
        assertThat(judged.statuses()).containsExactly("different", "right", "right");
        assertThat(judged.damaged()).containsExactly(0);
        assertThat(judged.isDisputed()).isFalse();
    }

    @Test
    void aDamagedCopyIsNotReplacedByAnOlderOne() {
        CopyState damaged = state("new", 0, false, 2, "x: is missing");
        assertThat(Judgement.of(List.of(state("old", 0, false, 1), damaged), 0).isDisputed())
                .isTrue();
        assertThat(Judgement.of(List.of(state("new", 0, false, 1), damaged), 0).isDisputed())
                .isFalse();
    }

    @Test
    void copiesOfWhichTheSameIsLeftAreRight() {
        Judgement judged = Judgement.of(List.of(LESS, LESS), 0);
        assertThat(judged.statuses()).containsExactly("right", "right");
        assertThat(judged.damaged()).isEmpty();
    }

    /** Nobody knows whose bytes came last. */
    @Test
    void nodesThatDifferOnWhatIsLeftAreDisputed() {
        Judgement judged = Judgement.of(List.of(UNKNOWN, LESS, WHOLE), 0);
        assertThat(judged.statuses()).containsExactly("unknown", "right", "different");
        assertThat(judged.isDisputed()).isTrue();
        CopyState damaged = state("all", 0, false, "x: is missing");
        assertThat(Judgement.of(List.of(damaged, LESS), 0).isDisputed()).isTrue();
        CopyState otherVersion = state("other", 0, false);
        assertThat(Judgement.of(List.of(otherVersion, LESS), 0).isDisputed()).isTrue();
        assertThat(Judgement.of(List.of(otherVersion, WHOLE), 0).isDisputed()).isFalse();
    }

    @Test
    void aCopyOfWhichNothingIsLeftIsReplacedWhereItIsKnown() {
        Judgement judged = Judgement.of(List.of(UNKNOWN, UNKNOWN, GONE), 1);
        assertThat(judged.statuses()).containsExactly("unknown", "replaced");
        assertThat(judged.damaged()).containsExactly(1);
    }

    @Test
    void nothingIsRepairedFromACopyOfWhichNothingIsLeft() {
        CopyState damaged = state("other", 0, false, "x: is missing");
        Judgement judged = Judgement.of(List.of(GONE, damaged), 0);
        assertThat(judged.donor()).isEqualTo(-1);
        assertThat(judged.damaged()).containsExactly(1);
    }

    @Test
    void aCopyOfWhichNobodyKnowsIsNotReplaced() {
        assertThat(Judgement.of(List.of(UNKNOWN, UNKNOWN), 0).damaged()).containsExactly(0, 1);
    }
}

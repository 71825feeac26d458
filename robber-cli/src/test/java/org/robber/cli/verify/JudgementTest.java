package org.robber.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JudgementTest {
    private static final CopyState WHOLE = state("all", 0, false);
    private static final CopyState LESS = state("some", 2, false);
    private static final CopyState GONE = state("none", 3, true);
    private static final CopyState UNKNOWN = CopyState.of(null);

    private static CopyState state(String fingerprint, int replaced, boolean isGone, String... problems) {
        return new CopyState(fingerprint, "", 1, 0, "xxh3-128", replaced, isGone, List.of(problems));
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

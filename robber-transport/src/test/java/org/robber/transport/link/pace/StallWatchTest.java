package org.robber.transport.link.pace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StallWatchTest {
    private final StallWatch watch = new StallWatch();
    private long heardBytes = 1000;

    /** How often it is looked until a peer that owes and says nothing has stalled. */
    private int looksUntilStalled(boolean sending) {
        for (int looks = 1; looks < 100; looks++) {
            if (watch.look(true, heardBytes, sending ? looks : 0)) {
                return looks;
            }
        }
        return -1;
    }

    @Test
    void whoOwesAndSendsNothingHasStalled() {
        assertThat(watch.look(true, 1000, 0)).isFalse();

        assertThat(looksUntilStalled(false)).isEqualTo(StallWatch.LOOKS + 1);
        assertThat(looksUntilStalled(false)).as("again").isEqualTo(2 * StallWatch.LOOKS + 1);
        assertThat(watch.look(true, 1001, 0)).isFalse();
        heardBytes = 1001;
        assertThat(looksUntilStalled(false)).as("after it spoke").isEqualTo(StallWatch.LOOKS + 1);
    }

    @Test
    void whoOwesNothingHasNot() {
        for (int i = 0; i < 100; i++) {
            assertThat(watch.look(false, 1000, 0)).isFalse();
        }
    }

    @Test
    void whoIsSlowHasNot() {
        for (int i = 0; i < 100; i++) {
            assertThat(watch.look(true, i / StallWatch.LOOKS, 0)).isFalse();
        }
    }

    @Test
    void whileWeSendItHasMoreTime() {
        assertThat(watch.look(true, 1000, 0)).isFalse();

        assertThat(looksUntilStalled(true)).isEqualTo(4 * StallWatch.LOOKS + 1);
    }
}

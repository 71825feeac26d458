package org.robber.emulation.testbed.replicate;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.robber.emulation.experiment.HandMade;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.testbed.sandbox.TestbedException;

class ReplicateRunTest {
    private static final Scenario SCENARIO = HandMade.scenario("two", 2, 2);

    @Test
    void tooLittleMemoryIsFoundWithoutATestbed() {
        ReplicateRun.check(SCENARIO, job(1000));

        assertThatThrownBy(() -> ReplicateRun.check(SCENARIO, job(1L << 50)))
                .isInstanceOf(TestbedException.class)
                .hasMessageContaining("not enough memory");
    }

    private static ReplicateJob job(long dataBytes) {
        return new ReplicateJob(
                ImmutableList.of("robber-cli"),
                "robber",
                ImmutableList.of(),
                1,
                dataBytes,
                0,
                false,
                0,
                Duration.ofMinutes(1));
    }
}

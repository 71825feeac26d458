package org.robber.emulation.runner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.robber.emulation.experiment.Deadline;
import org.robber.emulation.testbed.TestbedOptions;
import org.robber.emulation.testbed.WanKind;

class RunSettingsTest {
    private static final Deadline MINUTE = new Deadline(60, false);

    /** A deadline ends a command, but is only compared with the time of a replication. */
    @Test
    void theTimeOfACommandIsAConditionOfItsRuns() {
        RunSettings exec = settings("my-program");
        assertThat(exec.conditions(MINUTE)).isNotEqualTo(exec.conditions(Deadline.NONE));
        assertThat(exec.conditions(new Deadline(3, true))).isEqualTo(exec.conditions(Deadline.NONE));
        RunSettings replicate = settings(null);
        assertThat(replicate.conditions(MINUTE)).isEqualTo(replicate.conditions(Deadline.NONE));
    }

    private static RunSettings settings(@Nullable String command) {
        TestbedOptions.Choices choices = new TestbedOptions.Choices(WanKind.TUN, "cubic", false);
        return new RunSettings(
                1000,
                0,
                0,
                5,
                0,
                0,
                0,
                new RunSettings.Simulated(null, null, null),
                new RunSettings.InTestbed(command, false, choices, ImmutableList.of("robber-cli")));
    }
}

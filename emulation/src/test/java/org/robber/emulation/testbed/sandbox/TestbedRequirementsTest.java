package org.robber.emulation.testbed.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.Test;

/** How a testbed refuses where it cannot run. */
class TestbedRequirementsTest {

    @Test
    void withoutRootItRefusesAndSaysWhatToDo() {
        ImmutableList<String> missing = TestbedRequirements.missing(true, false, command -> true, true);

        assertThatThrownBy(() -> TestbedRequirements.requireNone(missing))
                .isInstanceOf(TestbedException.class)
                .hasMessage("the testbed cannot run here: it needs root to make network namespaces: run it with sudo");
    }

    @Test
    void allThatIsMissingIsSaidAtOnce() {
        ImmutableList<String> missing =
                TestbedRequirements.missing(true, false, command -> command.equals("ip"), false);

        assertThatThrownBy(() -> TestbedRequirements.requireNone(missing))
                .hasMessageContaining("sudo; no tc: install the package iproute2; no unshare: ")
                .hasMessageContaining("no mount: install the package util-linux; no /dev/net/tun: ");
    }

    @Test
    void elsewhereThanOnLinuxOnlyThatMatters() {
        assertThat(TestbedRequirements.missing(false, false, command -> false, false))
                .containsExactly("it needs Linux; the simulator runs everywhere");
    }

    @Test
    void whereNothingIsMissingItRefusesNothing() {
        assertThatNoException()
                .isThrownBy(() -> TestbedRequirements.requireNone(
                        TestbedRequirements.missing(true, true, command -> true, true)));
    }
}

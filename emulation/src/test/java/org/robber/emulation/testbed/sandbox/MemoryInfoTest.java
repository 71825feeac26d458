package org.robber.emulation.testbed.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryInfoTest {

    @Test
    void readsWhatTheKernelSays() {
        assertThat(MemoryInfo.of(
                        List.of("MemTotal:       24684084 kB", "MemFree:  100 kB", "MemAvailable:   22684084 kB")))
                .isEqualTo(new MemoryInfo(22_684_084L << 10, 100 << 10));
    }

    @Test
    void thisMachineHasSome() {
        assertThat(MemoryInfo.now().availableBytes()).isPositive();
        assertThat(MemoryInfo.now().freeBytes()).isPositive();
    }

    @Test
    void saysWhatIsUnknown() {
        assertThatThrownBy(() -> MemoryInfo.of(List.of("MemTotal: 1 kB", "MemAvailable: 1 kB")))
                .isInstanceOf(TestbedException.class)
                .hasMessageContaining("does not say MemFree");
    }

    @Test
    void tooMuchIsRefused() {
        assertThatThrownBy(() -> TestbedRequirements.checkMemory(1L << 60, 1_500_000_000))
                .isInstanceOf(TestbedException.class)
                .hasMessageContaining("1.5 GB for programs")
                .hasMessageContaining("take fewer nodes, or less data");
        TestbedRequirements.checkMemory(1, 1);
    }
}

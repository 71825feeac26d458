package org.robber.emulation.testbed.program;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChildCpuTest {

    @Test
    void addsUpUserAndSystemTimeOfChildrenWhateverTheProgramIsCalled() {
        String stat = "4711 (a ) R 1 (b) S 1 2 3 4 5 6 7 8 9 10 11 12 250 17 20 0 1 0 99 1 2\n";

        assertThat(ChildCpu.nanos(stat)).isEqualTo(2_670_000_000L);
    }

    @Test
    void whatAChildHasUsedIsCountedOnceItHasEnded() throws Exception {
        long before = ChildCpu.nanos();
        Process child = new ProcessBuilder("sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done").start();

        assertThat(child.waitFor()).isZero();
        assertThat(ChildCpu.nanos() - before).isGreaterThanOrEqualTo(10_000_000);
    }
}

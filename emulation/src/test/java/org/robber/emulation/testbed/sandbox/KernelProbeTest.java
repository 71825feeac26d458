package org.robber.emulation.testbed.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KernelProbeTest {

    @Test
    void namesWhatFailedAndWhatWasSaidOfIt() {
        assertThat(KernelProbe.reason("begun\nError: Specified qdisc kind is unknown.\nfailed: 5\n"))
                .isEqualTo("the kernel has no HTB: run modprobe sch_htb (Error: Specified qdisc kind is unknown.)");
    }

    @Test
    void containersHearThatTheyNeedPrivileges() {
        assertThat(KernelProbe.reason("unshare: unshare failed: Operation not permitted\n"))
                .contains("Operation not permitted")
                .contains("--privileged");
    }

    @Test
    void whatEndsWithoutAWordIsSaidSo() {
        assertThat(KernelProbe.reason("begun\n")).contains("end at once");
    }
}

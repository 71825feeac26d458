package org.robber.bench.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SystemCallCounterTest {
    @Test
    void readsWhatPerfWrites() {
        assertThat(SystemCallCounter.PERF.parse("""
                # started on Wed Nov 25 15:28:53 2026

                1844674,,raw_syscalls:sys_enter,1096578,100.00,,
                """)).isEqualTo(1_844_674);
    }

    @Test
    void readsWhatStraceWrites() {
        assertThat(SystemCallCounter.STRACE.parse("""
                % time     seconds  usecs/call     calls    errors syscall
                ------ ----------- ----------- --------- --------- ----------------
                 60.00    0.000300           3       100           read
                 40.00    0.000200           4        44         2 openat
                ------ ----------- ----------- --------- --------- ----------------
                100.00    0.000500           3       144         2 total
                """)).isEqualTo(144);
        assertThat(SystemCallCounter.STRACE.parse("100.00    0.000000                     7           total\n"))
                .isEqualTo(7);
        assertThat(SystemCallCounter.STRACE.parse("100.00    0.000000                     7         2 total\n"))
                .isEqualTo(7);
    }

    @Test
    void saysWhatItReadsIfThereIsNoNumber() {
        assertThatThrownBy(() -> SystemCallCounter.PERF.parse("<not supported>,,raw_syscalls:sys_enter,0,100.00,,"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("perf tells no number of system calls: <not supported>,,raw_syscalls:sys_enter,0,100.00,,");
        assertThatThrownBy(() -> SystemCallCounter.STRACE.parse("")).hasMessageStartingWith("strace tells no");
    }

    @Test
    void theCountedCommandFollows() {
        assertThat(SystemCallCounter.STRACE.prefix(Path.of("/tmp/calls")))
                .containsExactly("strace", "-f", "-c", "-o", "/tmp/calls");
    }
}

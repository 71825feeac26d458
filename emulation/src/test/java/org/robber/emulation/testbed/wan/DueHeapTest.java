package org.robber.emulation.testbed.wan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRuns;

class DueHeapTest {

    @Test
    void nothingIsDueAtFirst() {
        assertThat(new DueHeap(3).firstNanos()).isEqualTo(VirtualClockQueue.NEVER);
    }

    @Test
    void theFirstIsTheEarliestWhateverIsSet() {
        SeededRuns.run(100, random -> {
            int entries = 1 + random.nextInt(40);
            DueHeap agenda = new DueHeap(entries);
            long[] times = new long[entries];
            Arrays.fill(times, VirtualClockQueue.NEVER);
            for (int step = 0; step < 300; step++) {
                int entry = random.nextInt(entries);
                times[entry] = random.nextInt(4) == 0 ? VirtualClockQueue.NEVER : random.nextInt(50);
                agenda.set(entry, times[entry]);
                assertThat(agenda.firstNanos())
                        .isEqualTo(Arrays.stream(times).min().orElseThrow());
                assertThat(times[agenda.first()]).isEqualTo(agenda.firstNanos());
            }
        });
    }
}

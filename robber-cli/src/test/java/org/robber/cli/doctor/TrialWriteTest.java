package org.robber.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.cli.doctor.DestinationCheckup.Disk;

class TrialWriteTest {

    /** As containers do that have one disk and the same numbers of processes. */
    @Test
    void severalAtATimeFindTheDiskSoundAndLeaveNothing(@TempDir Path folder) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Callable<Disk> look = () -> new TrialWrite().look(folder);
            for (Future<Disk> disk : threads.invokeAll(List.of(look, look))) {
                assertThat(disk.get().problem()).isEmpty();
                assertThat(disk.get().bytesWritten()).isPositive();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(folder).isEmptyDirectory();
    }
}

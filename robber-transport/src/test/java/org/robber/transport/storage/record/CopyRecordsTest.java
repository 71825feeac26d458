package org.robber.transport.storage.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CopyRecordsTest {
    private static final int NODES = 4;
    private static final int LOST_DIRECTORIES = 50;

    @TempDir
    Path folder;

    @Test
    void aRecordOfTheCopyBeforeIsForgotten() throws Exception {
        CopyRecords records = new CopyRecords(folder.resolve("state"), "host");
        Path directory = Files.createDirectory(folder.resolve("DEST"));
        Path record = Objects.requireNonNull(records.prepare(directory, "0123"));
        Files.writeString(record, "what was here before");

        assertThat(records.prepare(directory, "0123")).isEqualTo(record);

        assertThat(record).doesNotExist();
    }

    /** The nodes of a machine end at the same time, and each forgets the same directories. */
    @Test
    void eachNodeOfAMachineHasARecordWhoeverForgetsWhatIsLost() throws Exception {
        CopyRecords records = new CopyRecords(folder.resolve("state"), "host");
        for (int i = 0; i < LOST_DIRECTORIES; i++) {
            Path lost = Files.createDirectory(folder.resolve("lost" + i));
            records.prepare(lost, "0123");
            Files.delete(lost);
        }
        List<Path> directories = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            directories.add(Files.createDirectory(folder.resolve("A-" + node)));
        }

        List<@Nullable Path> prepared = atOnce(records, directories);

        assertThat(prepared).doesNotContainNull().doesNotHaveDuplicates();
        for (Path record : prepared) {
            assertThat(Objects.requireNonNull(record).getParent()).isDirectory();
        }
    }

    private static List<@Nullable Path> atOnce(CopyRecords records, List<Path> directories) throws Exception {
        CyclicBarrier start = new CyclicBarrier(directories.size());
        ExecutorService nodes = Executors.newFixedThreadPool(directories.size());
        try {
            List<Future<@Nullable Path>> all = new ArrayList<>();
            for (Path directory : directories) {
                all.add(nodes.submit(() -> {
                    start.await(1, TimeUnit.MINUTES);
                    return records.prepare(directory, "0123");
                }));
            }
            List<@Nullable Path> prepared = new ArrayList<>();
            for (Future<@Nullable Path> each : all) {
                prepared.add(each.get(1, TimeUnit.MINUTES));
            }
            return prepared;
        } finally {
            nodes.shutdown();
        }
    }
}

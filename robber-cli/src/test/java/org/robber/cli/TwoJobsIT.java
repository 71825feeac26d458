package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Two jobs at once into one DEST: each does its work as if it were alone, unless both would write the same copy. */
@Execution(ExecutionMode.CONCURRENT)
class TwoJobsIT {
    @TempDir
    Path folder;

    @Test
    void oneJobComesAndGoesWhileTheOtherIsInItsTransfer() throws Exception {
        Path large = Trees.makeLarge(folder.resolve("source/large"), HeldTransfer.BYTES);
        Path tree = Trees.make(folder.resolve("tree"), 6);
        Path dest = folder.resolve("dest");
        try (HeldTransfer transfer = HeldTransfer.start(folder, large, dest);
                Launched other = Launched.start(
                        folder, Map.of(), "replicate", "--local=1x2", "-q", tree.toString(), dest.toString())) {
            assertThat(other.exitCode()).as(other.err()).isZero();
            Launched run = transfer.goOn();
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        for (String node : List.of("A-0", "A-1")) {
            Trees.assertSame(tree, dest.resolve(node).resolve("tree"));
            assertThat(dest.resolve(node).resolve("large")).hasSize(HeldTransfer.BYTES);
            assertThat(dest.resolve(node).toFile().list()).containsExactlyInAnyOrder("tree", "large");
        }
    }

    @Test
    void aJobWhoseCopyIsBeingWrittenByAnotherIsRefused() throws Exception {
        Path large = Trees.makeLarge(folder.resolve("source/large"), HeldTransfer.BYTES);
        Path dest = folder.resolve("dest");
        try (HeldTransfer transfer = HeldTransfer.start(folder, large, dest);
                Launched other = Launched.start(
                        folder, Map.of(), "replicate", "--local=1x2", "-q", large.toString(), dest.toString())) {
            assertThat(other.exitCode()).as(other.err()).isEqualTo(6);
            assertThat(other.err()).contains("robber-cli: error: ", "is in use: ", "another job with the same source");
            Launched run = transfer.goOn();
            assertThat(run.exitCode()).as(run.err()).isZero();
        }
        for (String node : List.of("A-0", "A-1")) {
            assertThat(dest.resolve(node).resolve("large")).hasSize(HeldTransfer.BYTES);
            assertThat(dest.resolve(node).toFile().list()).containsExactly("large");
        }
    }
}

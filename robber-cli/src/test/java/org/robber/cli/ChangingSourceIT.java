package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Sources that change while they are read: no node keeps a copy that mixes two states. */
@Execution(ExecutionMode.CONCURRENT)
class ChangingSourceIT {
    @TempDir
    Path folder;

    @Test
    @Tag("smoke")
    void aSourceThatShrinksIsNoticed() throws Exception {
        assertNoticed(file -> {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(HeldTransfer.BYTES / 2);
            }
        });
    }

    @Test
    void aSourceThatGrowsIsNoticed() throws Exception {
        assertNoticed(file -> Files.writeString(file, "more", StandardOpenOption.APPEND));
    }

    @Test
    void aSourceThatIsReplacedByItsLikeIsNoticed() throws Exception {
        assertNoticed(file -> {
            FileTime time = Files.getLastModifiedTime(file);
            Path other = Trees.makeLarge(folder.resolve("other"), HeldTransfer.BYTES);
            Files.setLastModifiedTime(other, time);
            Files.move(other, file, StandardCopyOption.ATOMIC_MOVE);
        });
    }

    private void assertNoticed(Change change) throws Exception {
        Path large = Trees.makeLarge(folder.resolve("source/large"), HeldTransfer.BYTES);
        Path dest = folder.resolve("dest");
        try (HeldTransfer transfer = HeldTransfer.start(folder, large.getParent(), dest)) {
            change.of(large);
            Launched run = transfer.goOn();
            assertThat(run.exitCode()).as(run.err()).isEqualTo(24);
            assertThat(run.err()).contains("robber-cli: error: ", "the source changed", large.toString());
            assertThat(Trees.names(dest)).isEmpty();
        }
    }

    @FunctionalInterface
    private interface Change {
        void of(Path file) throws IOException;
    }
}

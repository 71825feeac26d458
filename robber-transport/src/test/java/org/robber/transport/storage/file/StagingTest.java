package org.robber.transport.storage.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.RobberException;
import org.robber.transport.manifest.ManifestBuilder;

class StagingTest {
    /** Of Linux, with the NUL at the end. */
    private static final int LONGEST_PATH_BYTES = 4096;

    @TempDir
    Path directory;

    /** There is room for the path of the lock, and not for that of the journal. */
    @Test
    void nothingStaysOfADirectoryThatCannotBeUsed() throws IOException {
        Path place = deep(LONGEST_PATH_BYTES - 1 - "/.robber-key.partial/lock".length());
        assertThatThrownBy(
                        () -> Staging.enter(new Destination(place, false, null), new ManifestBuilder().build(), "key"))
                .isInstanceOf(RobberException.class)
                .hasMessageContaining("too long");
        assertThat(place.toFile().list()).isEmpty();
    }

    /** A directory whose path has so many bytes. */
    private Path deep(int bytes) throws IOException {
        Path deep = directory;
        for (int left = bytes - deep.toString().length();
                left > 0;
                left = bytes - deep.toString().length()) {
            // A single byte would have no room for the slash before it.
            deep = deep.resolve("d".repeat(left <= 200 ? left - 1 : 100));
        }
        return Files.createDirectories(deep);
    }
}

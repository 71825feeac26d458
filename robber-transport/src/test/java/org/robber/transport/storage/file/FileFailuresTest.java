package org.robber.transport.storage.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileFailuresTest {
    private static final String FULL = "No space left on device";

    @TempDir
    Path folder;

    /** The file system of the test has free bytes. */
    @Test
    void aFileThatCannotBeMadeThoughBytesAreFreeLacksAnInode() {
        Path file = folder.resolve("file");
        assertThat(FileFailures.destination("write", file, new FileSystemException(file.toString(), null, FULL)))
                .hasMessageStartingWith("cannot write " + file + ": " + FULL + "; it has free bytes")
                .hasMessageContaining("inodes");
    }

    @Test
    void bytesThatCannotBeWrittenLackSpace() {
        assertThat(FileFailures.destination("write", folder.resolve("file"), new IOException(FULL)))
                .hasMessageEndingWith(FULL + "; free some space, or choose another destination");
    }
}

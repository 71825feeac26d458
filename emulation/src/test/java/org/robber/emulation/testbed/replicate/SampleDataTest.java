package org.robber.emulation.testbed.replicate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SampleDataTest {

    @TempDir
    Path folder;

    @Test
    void theSeedSaysWhatTheDataAre() throws IOException {
        long size = (1 << 20) + 13;
        long checksum = SampleData.write(folder.resolve("a"), size, 5);

        assertThat(Files.size(folder.resolve("a"))).isEqualTo(size);
        assertThat(SampleData.checksum(folder.resolve("a"))).isEqualTo(checksum);
        assertThat(SampleData.write(folder.resolve("b"), size, 5)).isEqualTo(checksum);
        assertThat(SampleData.write(folder.resolve("c"), size, 6)).isNotEqualTo(checksum);
        assertThat(folder.resolve("b")).hasSameBinaryContentAs(folder.resolve("a"));
    }
}

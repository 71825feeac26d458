package org.robber.cli.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.source.TreeScanner;

/** What rank 0 leaves out. */
class UnchangedFilesTest {
    @TempDir
    Path folder;

    @Test
    void aFileThatIsNotHereIsNotLeftOut() throws IOException {
        for (String name : new String[] {"a", "b", "c"}) {
            Files.createFile(folder.resolve(name));
        }
        Manifest manifest = TreeScanner.scan(folder + "/").manifest();
        BitSet common = BitSet.valueOf(new long[] {0b1110});

        assertThat(UnchangedFiles.checked(common, BitSet.valueOf(new long[] {0b1111}), manifest))
                .isEqualTo(common);
        assertThatThrownBy(() -> UnchangedFiles.checked(common, BitSet.valueOf(new long[] {0b1010}), manifest))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("1 files that are not here")
                .hasMessageContaining("b");
    }
}

package org.robber.cli.replicate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.destination.DestinationInfo;

class JobDescriptionTest {
    @TempDir
    Path folder;

    private static final BitSet LEFT_OUT = BitSet.valueOf(new byte[] {1, 4});

    @Test
    void comeBackAsTheyWere() {
        JobDescription terms =
                new JobDescription("key", "host", List.of("/data/ä"), new byte[] {1, 2, 3}, LEFT_OUT, true);
        assertThat(JobDescription.fromBytes(terms.toBytes()))
                .usingRecursiveComparison()
                .isEqualTo(terms);
    }

    @Test
    void whatIsCutShortOrTooLongIsRefused() {
        byte[] bytes =
                new JobDescription("key", "host", List.of("/data"), new byte[] {1, 2, 3}, LEFT_OUT, true).toBytes();
        for (int length = 0; length <= bytes.length + 1; length++) {
            byte[] other = Arrays.copyOf(bytes, length);
            if (length != bytes.length) {
                assertThatThrownBy(() -> JobDescription.fromBytes(other)).isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    void nothingIsWrittenToTheSource() throws IOException {
        Path source = Files.createDirectories(folder.resolve("source/inner")).getParent();
        JobDescription terms =
                new JobDescription("key", "here", List.of(source.toString()), new byte[0], new BitSet(), false);
        for (Path bad : new Path[] {source, source.resolve("inner"), folder}) {
            assertThatThrownBy(() -> terms.check(DestinationInfo.of("here", bad), bad.toString(), "A-4"))
                    .isInstanceOfSatisfying(
                            RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.USAGE))
                    .hasMessageContaining("A-4", "choose another DEST");
        }
        Path good = folder.resolve("elsewhere");
        assertThatCode(() -> terms.check(DestinationInfo.of("here", good), good.toString(), "A-4"))
                .doesNotThrowAnyException();
        assertThatCode(() -> terms.check(DestinationInfo.of("there", source), source.toString(), "A-4"))
                .doesNotThrowAnyException();
    }
}

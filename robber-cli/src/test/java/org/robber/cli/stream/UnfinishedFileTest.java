package org.robber.cli.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnfinishedFileTest {
    @TempDir
    private Path folder;

    @Test
    void aFileGetsItsNameWhenItIsComplete() throws IOException {
        Path file = folder.resolve("copy");
        UnfinishedFile unfinished = UnfinishedFile.of(file);
        unfinished.channel().write(ByteBuffer.wrap(new byte[] {1, 2}));
        assertThat(file).doesNotExist();
        unfinished.commit(/* toDisk= */ true);
        assertThat(file).hasBinaryContent(new byte[] {1, 2});
        assertThat(folder).isDirectoryNotContaining(path -> !path.equals(file));
    }

    @Test
    void aFileMayHaveTheLongestName() throws IOException {
        Path file = folder.resolve("n".repeat(255));
        UnfinishedFile left = UnfinishedFile.of(file);
        left.channel().close();
        UnfinishedFile.of(file).commit(/* toDisk= */ false);
        try (Stream<Path> all = Files.list(folder)) {
            assertThat(all).containsExactly(file);
        }
    }

    /** A killed process leaves its file without a lock. */
    @Test
    void leftoversOfTheSameFileAreRemovedAndNothingElse() throws IOException {
        Path left = Files.createFile(folder.resolve(".copy.123.robber-stream"));
        Path ofOther = Files.createFile(folder.resolve(".copy.tar.123.robber-stream"));
        Path link = Files.createSymbolicLink(folder.resolve(".copy.7.robber-stream"), ofOther);
        UnfinishedFile first = UnfinishedFile.of(folder.resolve("copy"));
        assertThat(left).doesNotExist();
        assertThat(ofOther).exists();
        assertThat(link).isSymbolicLink();

        UnfinishedFile second = UnfinishedFile.of(folder.resolve("copy"));
        first.channel().write(ByteBuffer.allocate(1));
        second.channel().write(ByteBuffer.allocate(2));
        first.commit(/* toDisk= */ false);
        assertThat(folder.resolve("copy")).hasSize(1);
        second.discard();
        try (Stream<Path> all = Files.list(folder)) {
            assertThat(all).containsExactlyInAnyOrder(folder.resolve("copy"), ofOther, link);
        }
    }
}

package org.robber.transport.storage.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.robber.transport.manifest.EntryAttributes;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.ManifestBuilder;
import org.robber.transport.storage.Trees;
import org.robber.transport.storage.file.Destination;
import org.robber.transport.storage.source.TreeScanner;

/** What a file may have been before. */
class MovedFilesTest {
    @TempDir
    Path folder;

    private Path old;

    @BeforeEach
    void makeFolder() throws IOException {
        old = Files.createDirectory(folder.resolve("old"));
    }

    @Test
    void timesComeBeforeNames() throws IOException {
        file("a", 1, 100);
        file("b", 2, 100);
        file("only", 3, 50);
        MovedFiles moved = moved();
        assertThat(found(moved, "new", 2, 100)).isEqualTo(old.resolve("b"));
        assertThat(found(moved, "a", 2, 100)).isEqualTo(old.resolve("b"));
        assertThat(found(moved, "a", 9, 100)).isEqualTo(old.resolve("a"));
        assertThat(found(moved, "new", 9, 50)).isEqualTo(old.resolve("only"));
        assertThat(found(moved, "new", 9, 100)).isNull();
        assertThat(found(moved, "new", 1, 77)).isNull();
    }

    @Test
    void aFileThatIsGoneGivesWayToTheNext() throws IOException {
        file("a", 1, 100);
        file("b", 1, 100);
        MovedFiles moved = moved();
        Files.delete(old.resolve("a"));
        assertThat(found(moved, "new", 1, 100)).isEqualTo(old.resolve("b"));
        Files.delete(old.resolve("b"));
        assertThat(found(moved, "new", 1, 100)).isNull();
    }

    @Test
    void linksAreNotFollowed() throws IOException {
        file("a", 1, 100);
        MovedFiles moved = moved();
        Files.move(old, folder.resolve("elsewhere"));
        Files.createSymbolicLink(old, folder.resolve("elsewhere"));
        assertThat(found(moved, "a", 1, 100)).isNull();
    }

    /** As shards of one size are. */
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void manyFilesOfOneSizeAndTimeAreGone() {
        int count = 200_000;
        ManifestBuilder files = new ManifestBuilder();
        for (int i = 0; i < count; i++) {
            files.file(Trees.bytes(String.format("shard-%06d", i)), new EntryAttributes(0644, 1, 0), 100);
        }
        Manifest all = files.build();
        MovedFiles moved = new MovedFiles(all, Destination.ofCopy(folder.toString()));
        for (int i = 0; i < count; i++) {
            assertThat(moved.find(all, i)).isNull();
        }
    }

    private void file(String name, long seconds, int sizeBytes) throws IOException {
        Path file = Files.write(old.resolve(name), new byte[sizeBytes]);
        Files.setLastModifiedTime(file, FileTime.from(seconds, TimeUnit.SECONDS));
    }

    /** An index of a million files takes 300 MB. */
    @Test
    void filesInTheirPlacesAreNotLookedForElsewhere() throws IOException {
        file("a", 1, 100);
        FormerCopy former = new FormerCopy(
                TreeScanner.scan(old.toString()).manifest(), Destination.ofCopy(folder.toString()), () -> {
                    throw new AssertionError("an index is made");
                });
        assertThat(former.bytes()).isEqualTo(100);
    }

    private MovedFiles moved() {
        return new MovedFiles(TreeScanner.scan(old.toString()).manifest(), Destination.ofCopy(folder.toString()));
    }

    private static Path found(MovedFiles moved, String name, long seconds, int sizeBytes) {
        Manifest wanted = new ManifestBuilder()
                .file(Trees.bytes(name), new EntryAttributes(0644, seconds, 0), sizeBytes)
                .build();
        MovedFiles.Found found = moved.find(wanted, 0);
        return found == null ? null : found.path();
    }
}

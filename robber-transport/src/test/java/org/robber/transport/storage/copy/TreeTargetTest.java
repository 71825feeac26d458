package org.robber.transport.storage.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage.FileRange;
import org.robber.transport.manifest.EntryAttributes;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.ManifestBuilder;
import org.robber.transport.storage.Trees;
import org.robber.transport.storage.file.FileStat;
import org.robber.transport.storage.file.Staging;

/** Writing, reading back, giving up. What a commit makes of it: see {@link TreeCopyTest}. */
class TreeTargetTest {
    private static final EntryAttributes PLAIN = new EntryAttributes(0644, 1_000_000, 500);

    @TempDir
    Path directory;

    private Manifest manifest;

    @BeforeEach
    void describe() {
        manifest = new ManifestBuilder()
                .directory(Trees.bytes("top"), new EntryAttributes(0755, 2_000_000, 0))
                .file(Trees.bytes("a"), PLAIN, 4)
                .file(Trees.bytes("b"), PLAIN, 20)
                .file(Trees.bytes("c"), PLAIN, 0)
                .build();
    }

    private TreeTarget target() {
        return Trees.target(directory.toString(), manifest, "job-1");
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(Trees.bytes(text));
    }

    @Test
    void readsBackWhatWasWritten() throws IOException {
        try (TreeTarget target = target()) {
            assertThat(target.sizeBytes()).isEqualTo(24);
            target.write(14, text("0123456789"));
            target.write(0, text("abcdABCDEFGHIJ"));
            assertThat(Trees.content(target)).isEqualTo(Trees.bytes("abcdABCDEFGHIJ0123456789"));

            FileRange range = target.fileRange(10, 8);
            assertThat(range).isNotNull();
            ByteBuffer sent = ByteBuffer.allocate(8);
            range.channel().read(sent, range.positionBytes());
            range.release();
            assertThat(sent.array()).isEqualTo(Trees.bytes("GHIJ0123"));
            assertThat(target.fileRange(3, 2)).isNull();

            assertThatThrownBy(() -> target.write(20, text("12345"))).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void readingWhatIsMissingFails() throws IOException {
        try (TreeTarget target = target()) {
            assertThatThrownBy(() -> target.read(0, ByteBuffer.allocate(4)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("top/a");
            assertThatThrownBy(() -> target.read(4, ByteBuffer.allocate(10)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("top/b");
            target.write(4, text("x"));
            assertThatThrownBy(() -> target.read(10, ByteBuffer.allocate(10)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("top/b: nothing was written yet");
        }
    }

    @Test
    void showsNothingBeforeTheCommit() throws IOException {
        try (TreeTarget target = target()) {
            target.write(0, text("abcd0123456789ABCDEFGHIJ"));
            assertThat(directory).isDirectoryContaining("glob:**/.robber-job-1.partial");
            assertThat(directory.resolve("top")).doesNotExist();
            assertThat(FileStat.of(directory.resolve(".robber-job-1.partial")).mode())
                    .isEqualTo(0700);

            target.commit(null);
            assertThat(directory.toFile().list()).containsExactly("top");
            assertThat(directory.resolve("top/b")).hasContent("0123456789ABCDEFGHIJ");
            assertThat(directory.resolve("top/c")).isEmptyFile();
            assertThat(FileStat.of(directory.resolve("top/a")).attributes()).isEqualTo(PLAIN);
            assertThatThrownBy(() -> target.write(0, text("x"))).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> target.commit(null)).isInstanceOf(IllegalStateException.class);
        }
        assertThat(directory.resolve("top/a")).hasContent("abcd");
    }

    @Test
    void piecesMayComeTwice() throws IOException {
        try (TreeTarget target = target()) {
            target.write(0, text("abcd01234"));
            target.write(0, text("abcd01234"));
            target.write(9, text("56789ABCDEFGHIJ"));
            target.write(1, text("b"));
            target.commit(null);
        }
        assertThat(directory.resolve("top/a")).hasContent("abcd");
        assertThat(FileStat.of(directory.resolve("top/a")).attributes()).isEqualTo(PLAIN);
        assertThat(directory.resolve("top/b")).hasContent("0123456789ABCDEFGHIJ");
    }

    @Test
    void aCommitOfLessThanEverythingFails() throws IOException {
        TreeTarget none = target();
        assertThatThrownBy(() -> none.commit(null))
                .isInstanceOf(RobberException.class)
                .hasMessageContaining("top/a should have 4 bytes, but nothing was written");
        assertThat(directory).isEmptyDirectory();

        TreeTarget some = target();
        some.write(0, text("abcd0123"));
        assertThatThrownBy(() -> some.commit(null))
                .isInstanceOf(RobberException.class)
                .hasMessageContaining("top/b has 4 bytes instead of 20");
        assertThat(directory).isEmptyDirectory();
    }

    /** As programs do that clean up old files. */
    @Test
    void aFileThatAnotherProgramRemovesOrShortensIsMissed() throws IOException {
        Path tree = directory.resolve(".robber-job-1.partial/tree/top");
        TreeTarget removed = target();
        removed.write(0, text("abcd0123456789ABCDEFGHIJ"));
        Files.delete(tree.resolve("a"));
        assertThatThrownBy(() -> removed.commit(null))
                .isInstanceOf(RobberException.class)
                .hasMessageContaining("top/a: no such file");

        TreeTarget shortened = target();
        shortened.write(0, text("abcd0123456789ABCDEFGHIJ"));
        Files.write(tree.resolve("a"), new byte[0]);
        assertThatThrownBy(() -> shortened.commit(null))
                .isInstanceOf(RobberException.class)
                .hasMessageContaining("top/a has 0 bytes instead of 4");
        assertThat(directory).isEmptyDirectory();
    }

    /** Its owner may not read it in the end: only root would not notice. */
    @Test
    void aFileThatNobodyMayReadIsForcedToTheDisk() throws IOException {
        ManifestBuilder files = new ManifestBuilder();
        for (int mode : new int[] {0, 0200, 0400}) {
            files.file(Trees.bytes("f" + mode), new EntryAttributes(mode, 1_000_000, 500), 4);
        }
        manifest = files.build();
        try (TreeTarget target = target()) {
            target.write(0, text("aaaabbbbcccc"));
            target.commit(null, null, true);
        }
        for (int mode : new int[] {0, 0200, 0400}) {
            FileStat stat = FileStat.of(directory.resolve("f" + mode));
            assertThat(stat.mode()).isEqualTo(mode);
            assertThat(stat.sizeBytes()).isEqualTo(4);
        }
    }

    @Test
    void closingLeavesEverythingAsItWas() throws IOException {
        Path existing = Files.createDirectories(directory.resolve("top"));
        Trees.write(existing.resolve("a"), "old");
        try (TreeTarget target = target()) {
            target.write(0, text("abcd0123456789"));
        }
        assertThat(existing.resolve("a")).hasContent("old");
        assertThat(directory.toFile().list()).containsExactly("top");
        assertThat(existing.toFile().list()).containsExactly("a");
    }

    @Test
    void closingRemovesADestinationThatWasMadeForIt() throws IOException {
        Path made = directory.resolve("made");
        TreeTarget target = Trees.target(made.toString(), manifest, "j");
        assertThat(made).isDirectory();
        target.close();
        assertThat(made).doesNotExist();
        target.close();
    }

    @Test
    void anInterruptIsNotBlamedOnTheDestination() throws IOException {
        try (TreeTarget target = target()) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> target.write(0, text("abcd")))
                    .isInstanceOfSatisfying(
                            RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INTERRUPTED));
            assertThat(Thread.interrupted()).isTrue();
            target.write(0, text("abcd0123456789ABCDEFGHIJ"));
            target.commit(null);
        }
        assertThat(directory.resolve("top/a")).hasContent("abcd");
    }

    @Test
    void twoJobsOfOneNameAreToldApart() throws IOException {
        try (TreeTarget target = target()) {
            assertThatThrownBy(this::target)
                    .isInstanceOfSatisfying(
                            RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.DESTINATION))
                    .hasMessageContaining(".robber-job-1.partial is in use");
            Trees.target(directory.toString(), manifest, "job-2").close();
            target.write(0, text("abcd"));
            assertThat(directory.toFile().list()).containsExactly(".robber-job-1.partial");
        }
        assertThatThrownBy(() -> Trees.target(directory.toString(), manifest, "../x"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** A file may have a name of its own, and another process may use what is there. */
    @Test
    void leftoversAreRemovedUnlessTheyAreInUse() throws IOException {
        Manifest single = new ManifestBuilder().file(Trees.bytes("a"), PLAIN, 4).build();
        String destination = directory.resolve("other").toString();
        try (TreeTarget used = Trees.target(destination, single, "job-1")) {
            used.write(0, text("abcd"));
            TreeTarget.removeLeftovers(destination, single, "job-1");
            used.commit(null);
        }
        assertThat(directory.resolve("other")).hasContent("abcd");

        Path left = Files.createDirectory(
                directory.resolve(".robber-job-1" + Staging.suffix(directory.resolve("other")) + ".partial"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.createDirectory(left.resolve("tree"));
        TreeTarget.removeLeftovers(destination, single, "job-1");
        assertThat(directory.toFile().list()).containsExactly("other");
    }

    @Test
    void leftoversInTheSourceAreNoTrouble() throws IOException {
        manifest = new ManifestBuilder()
                .directory(Trees.bytes(".robber-job-1.partial"), new EntryAttributes(0755, 0, 0))
                .file(Trees.bytes("f"), PLAIN, 1)
                .build();
        try (TreeTarget target = target()) {
            target.write(0, text("x"));
            target.commit(null);
        }
        assertThat(directory.resolve(".robber-job-1.partial/f")).hasContent("x");
        assertThat(directory.toFile().list()).hasSize(1);
    }

    @Test
    void tooLittleSpaceIsToldBeforeTheFirstByte() {
        manifest = new ManifestBuilder()
                .file(Trees.bytes("huge"), PLAIN, Manifest.MAX_TOTAL_BYTES)
                .build();
        assertThatThrownBy(this::target)
                .isInstanceOfSatisfying(
                        RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.DESTINATION))
                .hasMessageContaining("not enough space")
                .hasMessageContaining(Manifest.MAX_TOTAL_BYTES + " bytes are needed");
        assertThat(directory).isEmptyDirectory();
    }
}

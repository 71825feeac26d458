package org.robber.transport.storage.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.manifest.DigestTable;
import org.robber.transport.manifest.EntryAttributes;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.ManifestBuilder;
import org.robber.transport.storage.Trees;
import org.robber.transport.storage.copy.CopyTerms;
import org.robber.transport.storage.copy.TreeTarget;
import org.robber.transport.storage.file.FileStat;
import org.robber.transport.storage.file.Staging;

/** What is found out later about a copy that was complete, and what of a damaged one is used to repair it. */
class CopyAuditTest {
    private static final EntryAttributes PLAIN = new EntryAttributes(0644, 1_000_000, 500);
    private static final PieceLayout LAYOUT = new PieceLayout(1000, 100);

    @TempDir
    Path folder;

    private final byte[] data = new byte[1000];
    private final Manifest manifest = new ManifestBuilder()
            .directory(Trees.bytes("top"), new EntryAttributes(0755, 2, 0))
            .file(Trees.bytes("a"), new EntryAttributes(0444, 1_000_000, 500), 150)
            .file(Trees.bytes("b"), PLAIN, 850)
            .symlink(Trees.bytes("l"), PLAIN, Trees.bytes("b"))
            .build();
    private Path dest;
    private CopyRecords records;
    private Path record;

    @BeforeEach
    void replicate() throws IOException {
        new Random(3).nextBytes(data);
        dest = Files.createDirectory(folder.resolve("dest"));
        records = new CopyRecords(folder.resolve("state"), "host");
        try (TreeTarget target = open()) {
            for (int piece = 0; piece < 10; piece++) {
                add(target, piece);
            }
            record = records.prepare(target.directory(), target.name());
            target.commit(record);
        }
    }

    private TreeTarget open() {
        return TreeTarget.open(dest.toString(), manifest, new CopyTerms("key", LAYOUT, "xxh3-128", false));
    }

    /** For a repair: what is in place is compared with the digests of a copy that is right. */
    private TreeTarget openAdopting() {
        DigestTable right = new DigestTable(10, 16);
        for (int piece = 0; piece < 10; piece++) {
            right.set(
                    piece,
                    PieceHashers.named("xxh3-128")
                            .hash(ByteBuffer.wrap(data, piece * 100, 100).slice()));
        }
        TreeTarget target = open();
        target.adopt(right, "xxh3-128");
        return target;
    }

    private void add(TreeTarget target, int piece) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(data, piece * 100, 100).slice();
        target.write(piece * 100L, bytes.duplicate());
        target.verified(piece * 100L, 100, PieceHashers.named("xxh3-128").hash(bytes));
    }

    private CopyAudit audit() throws IOException {
        return CopyAudit.of(dest.toString(), record, new AuditedBytes());
    }

    private void flip(String file, long position) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(dest.resolve(file).toFile(), "rw")) {
            bytes.seek(position);
            int old = bytes.read();
            bytes.seek(position);
            bytes.write(old ^ 1);
        }
    }

    @Test
    void aCopyThatIsWhatItWasIsIntact() throws IOException {
        assertThat(records.copies(dest.toString())).containsOnlyKeys("key");
        assertThat(records.record(dest.toString(), "key")).isEqualTo(record);
        assertThat(audit().problems()).isEmpty();
        assertThat(audit().layout()).isEqualTo(LAYOUT);
        assertThat(dest.toFile().list()).as("nothing is kept there").containsExactly("top");
        // modes and times are their owner's affair
        Trees.mode(dest.resolve("top/b"), 0600);
        Trees.mtime(dest.resolve("top/b"), 5, 0);
        assertThat(audit().intact()).isTrue();
    }

    @Test
    void whatIsDifferentIsNamed() throws IOException {
        flip("top/b", 700);
        assertThat(audit().problems()).containsExactly("top/b: 1 of 9 pieces are not what they were");
        Files.delete(dest.resolve("top/l"));
        Files.createSymbolicLink(dest.resolve("top/l"), Path.of("a"));
        Files.write(dest.resolve("top/b"), new byte[3]);
        Files.delete(dest.resolve("top/a"));
        assertThat(audit().problems())
                .containsExactly("top/a: is missing", "top/b: has 3 bytes, not 850", "top/l: leads elsewhere");
    }

    /** Small files share a piece: one that is gone does not make others look damaged. */
    @Test
    void onlyTheDamagedFileOfAPieceIsNamed() throws IOException {
        Path other = Files.createDirectory(folder.resolve("other"));
        PieceLayout onePiece = new PieceLayout(1000, 1000);
        Path ofOther;
        try (TreeTarget target =
                TreeTarget.open(other.toString(), manifest, new CopyTerms("one", onePiece, "xxh3-128", false))) {
            ByteBuffer all = ByteBuffer.wrap(data);
            target.write(0, all.duplicate());
            target.verified(0, 1000, PieceHashers.named("xxh3-128").hash(all));
            ofOther = records.prepare(target.directory(), target.name());
            target.commit(ofOther);
        }
        Files.delete(other.resolve("top/b"));

        assertThat(CopyAudit.of(other.toString(), ofOther, new AuditedBytes()).problems())
                .containsExactly("top/b: is missing");
    }

    /** Found by `verify` of a copy with a fifo in it, which did not end: whoever opens one waits for a writer. */
    @Test
    void aFifoInAFilesPlaceIsNamedAndNotOpened() throws Exception {
        Files.delete(dest.resolve("top/a"));
        Trees.run(dest.resolve("top"), "mkfifo", "a");
        assertThat(audit().problems()).containsExactly("top/a: is a fifo");
        try (TreeTarget target = openAdopting()) {
            assertThat(target.verifiedBytes()).isEqualTo(800);
            add(target, 0);
            add(target, 1);
            target.commit(record);
        }
        assertThat(audit().problems()).isEmpty();
    }

    @Test
    void aDamagedRecordIsToldFromADamagedCopy() throws IOException {
        Files.write(record, new byte[30]);
        assertThat(audit()).isNull();
    }

    @Test
    void recordsOfPlacesThatAreNoMoreAreForgotten() throws IOException {
        Staging.delete(dest);
        Path other = Files.createDirectory(folder.resolve("other"));
        records.prepare(other, "key");
        assertThat(record).doesNotExist();
        assertThat(records.copies(dest.toString())).isEmpty();
        assertThat(new CopyRecords(folder.resolve("state"), "another").copies(other.toString()))
                .isEmpty();
    }

    @Test
    void aRepairTakesWhatIsRightAndTouchesNothingBefore() throws IOException {
        flip("top/b", 700);
        byte[] damaged = Files.readAllBytes(dest.resolve("top/b"));
        long inode = FileStat.of(dest.resolve("top/a")).inode();
        try (TreeTarget target = openAdopting()) {
            assertThat(target.verifiedBytes()).isEqualTo(900);
            assertThat(target.verifiedDigest(800, 100)).isNull();
            add(target, 8);
            assertThat(Files.readAllBytes(dest.resolve("top/b"))).isEqualTo(damaged);
            assertThat(Trees.content(target)).isEqualTo(data);
            target.commit(record);
        }
        assertThat(audit().problems()).isEmpty();
        assertThat(FileStat.of(dest.resolve("top/a")).inode()).as("left alone").isEqualTo(inode);
        assertThat(FileStat.of(dest.resolve("top/b")).attributes()).isEqualTo(PLAIN);
        assertThat(dest.toFile().list()).containsExactly("top");
    }

    @Test
    void aCopyIsTakenOverAsItIsUnlessSomethingIsMissing() throws IOException {
        try (TreeTarget target = open()) {
            assertThat(target.adoptAll("xxh3-128").known().isFull()).isTrue();
            assertThat(target.verifiedBytes()).isEqualTo(1000);
            assertThat(Trees.content(target)).isEqualTo(data);
            target.discard();
        }
        Files.delete(dest.resolve("top/b"));
        try (TreeTarget target = open()) {
            assertThatThrownBy(() -> target.adoptAll("xxh3-128")).hasMessageContaining("cannot be read");
            target.discard();
        }
    }

    @Test
    void whatAKilledCommitHasPutInPlaceIsUsed() throws IOException {
        try (TreeTarget target = open()) {
            for (int piece = 0; piece < 10; piece++) {
                add(target, piece);
            }
        }
        Files.move(
                dest.resolve(".robber-key.partial/tree/top/b"),
                dest.resolve("top/b"),
                StandardCopyOption.REPLACE_EXISTING);
        try (TreeTarget target = open()) {
            assertThat(target.verifiedBytes()).isEqualTo(1000);
            target.commit(null);
        }
        assertThat(audit().problems()).isEmpty();
    }

    @Test
    void theStateFolderIsTheUsersOwn() {
        assertThat(CopyRecords.defaultFolder(Map.of(), "/home/me")).isEqualTo(Path.of("/home/me/.local/state/robber"));
        assertThat(CopyRecords.defaultFolder(Map.of("XDG_STATE_HOME", "/state"), "/home/me"))
                .isEqualTo(Path.of("/state/robber"));
    }
}

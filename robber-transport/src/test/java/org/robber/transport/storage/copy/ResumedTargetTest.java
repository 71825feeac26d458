package org.robber.transport.storage.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.manifest.DigestTable;
import org.robber.transport.manifest.EntryAttributes;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.ManifestBuilder;
import org.robber.transport.storage.Trees;
import org.robber.transport.storage.file.FileStat;

/** What a later run takes over from one that was interrupted, and what not. */
class ResumedTargetTest {
    private static final EntryAttributes PLAIN = new EntryAttributes(0644, 1_000_000, 500);
    private static final EntryAttributes LOCKED = new EntryAttributes(0400, 1_000_000, 500);
    private static final int BYTES = 1000;
    /** Ten pieces, in files of 150, 0, 700, and 150 bytes. */
    private static final PieceLayout LAYOUT = new PieceLayout(BYTES, 100);

    @TempDir
    Path directory;

    private final byte[] data = new byte[BYTES];

    ResumedTargetTest() {
        new Random(5).nextBytes(data);
    }

    private static Manifest manifest(long mtimeSeconds) {
        return new ManifestBuilder()
                .directory(Trees.bytes("top"), new EntryAttributes(0755, mtimeSeconds, 0))
                .file(Trees.bytes("a"), LOCKED, 150)
                .file(Trees.bytes("b"), PLAIN, 0)
                .directory(Trees.bytes("c"), new EntryAttributes(0555, 3, 0))
                .file(Trees.bytes("d"), PLAIN, 700)
                .symlink(Trees.bytes("l"), PLAIN, Trees.bytes("d"))
                .endDirectory()
                .file(Trees.bytes("e"), PLAIN, 150)
                .build();
    }

    private TreeTarget open(Manifest manifest, PieceLayout layout, String digest, boolean restart) {
        return TreeTarget.open(directory.toString(), manifest, new CopyTerms("key", layout, digest, restart));
    }

    private TreeTarget open() {
        return open(manifest(2), LAYOUT, "xxh3-128", false);
    }

    private Path staging() {
        return directory.resolve(".robber-key.partial");
    }

    private void add(TreeTarget target, int... pieces) throws IOException {
        for (int piece : pieces) {
            ByteBuffer bytes = ByteBuffer.wrap(data, piece * 100, 100).slice();
            target.write(piece * 100L, bytes.duplicate());
            target.verified(piece * 100L, 100, PieceHashers.named("xxh3-128").hash(bytes));
        }
    }

    private static List<Integer> known(TreeTarget target) {
        List<Integer> pieces = new ArrayList<>();
        for (int piece = 0; piece < 10; piece++) {
            if (target.verifiedDigest(piece * 100L, 100) != null) {
                pieces.add(piece);
            }
        }
        return pieces;
    }

    private void interruptWith(int... pieces) throws IOException {
        try (TreeTarget target = open()) {
            add(target, pieces);
        }
    }

    private static void flip(Path file, long position) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(position);
            int old = bytes.read();
            bytes.seek(position);
            bytes.write(old ^ 4);
        }
    }

    @Test
    void takesOverWhatWasVerifiedAndCompletesIt() throws IOException {
        interruptWith(0, 1, 5, 9);
        try (TreeTarget target = open()) {
            assertThat(known(target)).containsExactly(0, 1, 5, 9);
            assertThat(target.verifiedBytes()).isEqualTo(400);
            add(target, 2, 3);
        }
        try (TreeTarget target = open()) {
            assertThat(known(target)).containsExactly(0, 1, 2, 3, 5, 9);
            add(target, 4, 6, 7, 8);
            assertThat(Trees.content(target)).isEqualTo(data);
            target.commit(null);
        }
        assertThat(directory.toFile().list()).containsExactly("top");
        assertThat(Files.readAllBytes(directory.resolve("top/c/d"))).hasSize(700);
        assertThat(FileStat.of(directory.resolve("top/a")).attributes()).isEqualTo(LOCKED);
        assertThat(FileStat.of(directory.resolve("top/c")).mode()).isEqualTo(0555);
        assertThat(Files.readSymbolicLink(directory.resolve("top/c/l"))).isEqualTo(Path.of("d"));
    }

    /** Directories that a group shares mostly have this bit, and what is made in them inherits it. */
    @Test
    void goesOnInADirectoryWithTheSetGroupIdBit() throws IOException {
        Files.setAttribute(directory, "unix:mode", 02775);
        interruptWith(0, 1, 5);
        try (TreeTarget target = open()) {
            assertThat(known(target)).containsExactly(0, 1, 5);
        }
    }

    @Test
    void whatWasWrittenButNotVerifiedDoesNotCount() throws IOException {
        try (TreeTarget target = open()) {
            add(target, 0);
            target.write(300, ByteBuffer.wrap(data, 300, 300));
        }
        try (TreeTarget target = open()) {
            assertThat(known(target)).containsExactly(0);
        }
    }

    @Test
    void aFlippedBitInTheDataCostsItsPiece() throws IOException {
        interruptWith(0, 1, 4, 5);
        flip(staging().resolve("tree/top/c/d"), 350);
        try (TreeTarget target = open()) {
            // byte 350 of d is byte 500 of all
            assertThat(known(target)).containsExactly(0, 1, 4);
            add(target, 5);
        }
        try (TreeTarget target = open()) {
            assertThat(known(target)).as("the later record counts").containsExactly(0, 1, 4, 5);
        }
    }

    @Test
    void whatIsMissingOrTooLongDoesNotCount() throws IOException {
        interruptWith(0, 1, 4, 8, 9);
        Files.delete(staging().resolve("tree/top/c/d"));
        Files.write(staging().resolve("tree/top/e"), new byte[151]);
        try (TreeTarget target = open()) {
            assertThat(known(target)).containsExactly(0);
        }
    }

    @Test
    void aFlippedBitOrATornEndOfTheJournalCostsItsRecords() throws IOException {
        interruptWith(0, 1, 4, 5);
        Path journal = staging().resolve("journal");
        long end = Files.size(journal);
        flip(journal, end - 2 * 24 - 10); // in the record of piece 1
        try (RandomAccessFile file = new RandomAccessFile(journal.toFile(), "rw")) {
            file.setLength(end - 7);
        }
        try (TreeTarget target = open()) {
            assertThat(known(target)).containsExactly(0, 4);
            add(target, 7);
        }
        try (TreeTarget target = open()) {
            assertThat(known(target)).containsExactly(0, 4, 7);
        }
    }

    @Test
    void aJournalThatCannotBeReadIsAsGoodAsNone() throws IOException {
        for (int position : new int[] {2, 6, 20, 60}) {
            interruptWith(0, 1);
            flip(staging().resolve("journal"), position);
            try (TreeTarget target = open()) {
                assertThat(known(target)).as("flipped at %s", position).isEmpty();
            }
            assertThat(directory).isEmptyDirectory();
        }
    }

    @Test
    void otherPiecesAndDigestsUseWhatTheyCan() throws IOException {
        interruptWith(0, 1, 2, 5, 6, 9);
        try (TreeTarget target = open(manifest(2), new PieceLayout(BYTES, 150), "sha256", false)) {
            // 0..299, 500..699 and 900.. are here: 0 and 1 as a whole, 4 from 600, 6 from 900
            assertThat(target.verifiedBytes()).isEqualTo(150 + 150 + 100);
            assertThat(target.verifiedDigest(0, 150)).hasSize(32);
            assertThat(target.verifiedDigest(900, 100)).isNotNull();
        }
        try (TreeTarget target = open(manifest(2), new PieceLayout(BYTES, 50), "xxh3-128", false)) {
            assertThat(target.verifiedBytes()).isEqualTo(400);
        }
    }

    /** Nothing is trusted: digests of the source tell what is right. */
    @Test
    void whatAnotherVersionHasLeftIsCompared() throws IOException {
        interruptWith(2, 3, 8);
        byte[] old = data.clone();
        data[350] ^= 1;
        Manifest other = manifest(7);
        try (TreeTarget target = open(other, new PieceLayout(BYTES, 200), "xxh3-128", false)) {
            assertThat(target.verifiedBytes()).isZero();
            assertThat(target.formerBytes()).isPositive();
        }
        try (TreeTarget target = open(other, LAYOUT, "xxh3-128", false)) {
            assertThat(target.formerBytes()).as("still there").isPositive();
            target.adopt(digests(), "xxh3-128");
            assertThat(known(target)).as("3 has changed").containsExactly(2, 8);
            add(target, 0, 1, 3, 4, 5, 6, 7, 9);
            target.commit(null);
        }
        assertThat(Files.readAllBytes(directory.resolve("top/c/d"))).isEqualTo(Arrays.copyOfRange(data, 150, 850));
        assertThat(FileStat.of(directory.resolve("top")).attributes().mtimeSeconds())
                .isEqualTo(7);
        assertThat(data).isNotEqualTo(old);
        assertThat(directory.toFile().list()).containsExactly("top");
    }

    @Test
    void entriesThatTheSourceNoLongerHasAreNotShown() throws IOException {
        interruptWith(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        Manifest less = new ManifestBuilder()
                .directory(Trees.bytes("top"), new EntryAttributes(0755, 2, 0))
                .directory(Trees.bytes("a"), new EntryAttributes(0755, 3, 0))
                .endDirectory()
                .file(Trees.bytes("e"), LOCKED, 100)
                .build();
        PieceLayout layout = new PieceLayout(100, 100);
        try (TreeTarget target = open(less, layout, "xxh3-128", false)) {
            assertThat(target.verifiedBytes()).isZero();
            ByteBuffer bytes = ByteBuffer.wrap(data, 0, 100);
            target.write(0, bytes.duplicate());
            target.verified(0, 100, PieceHashers.named("xxh3-128").hash(bytes));
            target.commit(null);
        }
        assertThat(directory.resolve("top").toFile().list()).containsExactlyInAnyOrder("a", "e");
        assertThat(directory.resolve("top/a")).isEmptyDirectory();
        assertThat(FileStat.of(directory.resolve("top/e")).mode()).isEqualTo(0400);
        assertThat(directory.resolve("top/e")).hasSize(100);
    }

    @Test
    void aRestartTakesNothingOver() throws IOException {
        interruptWith(3);
        try (TreeTarget target = open(manifest(2), LAYOUT, "xxh3-128", true)) {
            assertThat(known(target)).isEmpty();
            assertThat(target.formerBytes()).isZero();
        }
        assertThat(directory).isEmptyDirectory();
    }

    private DigestTable digests() {
        DigestTable all = new DigestTable(10, 16);
        for (int piece = 0; piece < 10; piece++) {
            all.set(
                    piece,
                    PieceHashers.named("xxh3-128")
                            .hash(ByteBuffer.wrap(data, piece * 100, 100).slice()));
        }
        return all;
    }

    private TreeTarget openAgain() throws IOException {
        try (TreeTarget first = open()) {
            add(first, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
            first.commit(null);
        }
        return open();
    }

    /** Its new time would be replaced by that of the source, and no later run would look at it again. */
    @Test
    void aFileInItsPlaceThatAnotherProgramChangesIsMissed() throws IOException {
        Path file = directory.resolve("top/c/d");
        TreeTarget target = openAgain();
        target.adopt(digests(), "xxh3-128");
        assertThat(known(target)).hasSize(10);
        flip(file, 350);
        assertThatThrownBy(() -> target.commit(null))
                .isInstanceOf(RobberException.class)
                .hasMessageContaining("top/c/d in the destination was changed by another program");
        assertThat(FileStat.of(file).attributes().isSameTime(PLAIN)).isFalse();

        try (TreeTarget next = open()) {
            assertThat(known(next)).doesNotContain(5).hasSize(9);
            add(next, 5);
            next.commit(null);
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(Arrays.copyOfRange(data, 150, 850));
    }

    @Test
    void twoNamesOfOneFileMayGetOneTime() throws IOException {
        System.arraycopy(data, 0, data, 850, 150);
        try (TreeTarget target = openAgain()) {
            Path first = directory.resolve("top/a");
            Path second = directory.resolve("top/e");
            Files.delete(second);
            Files.createLink(second, first);
            Trees.mtime(first, 5, 0);
            target.adopt(digests(), "xxh3-128");
            assertThat(known(target)).hasSize(10);
            target.commit(null);
            assertThat(FileStat.of(first).attributes().isSameTime(PLAIN)).isTrue();
            assertThat(Files.isSameFile(first, second)).isTrue();
        }
    }

    @Test
    void whatCannotBeTrustedIsRemoved() throws IOException {
        interruptWith(3);
        open().discard();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aDirectoryThatOthersMayWriteToIsNotTakenOver() throws IOException {
        Files.createDirectory(staging());
        Files.setPosixFilePermissions(staging(), PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(this::open)
                .isInstanceOfSatisfying(
                        RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.DESTINATION))
                .hasMessageContaining("is not what an earlier run of this user has left");
        Files.delete(staging());
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        Files.createSymbolicLink(staging(), elsewhere);
        assertThatThrownBy(this::open).hasMessageContaining("is not what an earlier run of this user has left");
        assertThat(elsewhere).isEmptyDirectory();
    }

    /** Opening a fifo waits for ever, and a directory cannot be read: the copy begins anew. */
    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aJournalThatIsNoFileCostsAllPieces() throws Exception {
        for (String command : List.of("mkfifo", "mkdir")) {
            interruptWith(0, 5);
            Files.delete(staging().resolve("journal"));
            Trees.run(staging(), command, "journal");
            try (TreeTarget target = open()) {
                assertThat(known(target)).isEmpty();
            }
        }
    }

    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aLockThatIsNoFileIsNamed() throws Exception {
        interruptWith(0);
        Files.delete(staging().resolve("lock"));
        Trees.run(staging(), "mkfifo", "lock");
        assertThatThrownBy(this::open).hasMessageContaining("is not what an earlier run of this user has left");
    }

    @Test
    void copiesOfOneFileUnderSeveralNamesAreToldApart() throws IOException {
        Manifest file =
                new ManifestBuilder().file(Trees.bytes("f"), PLAIN, 1000).build();
        CopyTerms terms = new CopyTerms("key", LAYOUT, "xxh3-128", false);
        try (TreeTarget one = TreeTarget.open(directory + "/one", file, terms);
                TreeTarget two = TreeTarget.open(directory + "/two", file, terms)) {
            add(one, 1);
            add(two, 2);
        }
        try (TreeTarget one = TreeTarget.open(directory + "/one", file, terms)) {
            assertThat(known(one)).containsExactly(1);
        }
    }
}

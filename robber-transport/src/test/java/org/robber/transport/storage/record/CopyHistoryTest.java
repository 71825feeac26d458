package org.robber.transport.storage.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.RobberException;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.ManifestPart;
import org.robber.transport.storage.copy.CopyTerms;
import org.robber.transport.storage.copy.EarlierCopy;
import org.robber.transport.storage.copy.LeftOut;
import org.robber.transport.storage.copy.TreeTarget;
import org.robber.transport.storage.source.ScannedTree;
import org.robber.transport.storage.source.TreeScanner;
import org.robber.transport.storage.source.TreeSource;

/** A copy that came in several runs, each of which brought what had changed, is known as a whole. */
class CopyHistoryTest {
    private static final int FILES = 40;
    private static final int FILE_BYTES = 1000;
    private static final int PIECE_BYTES = 300;

    @TempDir
    Path folder;

    private final Random random = new Random(11);
    private Path source;
    private Path copies;
    private CopyRecords records;

    @BeforeEach
    void makeSource() throws IOException {
        source = Files.createDirectories(folder.resolve("tree"));
        copies = Files.createDirectory(folder.resolve("copies"));
        records = new CopyRecords(folder.resolve("state"), "host");
        Files.createDirectory(source.resolve("sub"));
        Files.createFile(source.resolve("sub/empty"));
        for (int i = 0; i < FILES; i++) {
            change(i, i);
        }
    }

    @Test
    void everyFileIsComparedAfterManyRuns() throws IOException {
        assertThat(copy()).as("all is new").isEqualTo(FILES);
        for (int run = 1; run <= 30; run++) {
            int changed = random.nextInt(FILES);
            change(changed, 1000 * run);
            int came = copy();
            // after many runs, the files of all but the largest journal are compared
            assertThat(came).as("run %s", run).isGreaterThan(0);
            assertThat(run > 8 || came == 1).as("run %s brought %s", run, came).isTrue();
            assertThat(audit().problems()).as("run %s", run).isEmpty();
            assertThat(journals()).as("run %s", run).isLessThanOrEqualTo(10);
        }
        assertThat(copy()).as("nothing has changed").isLessThan(FILES);

        Path damaged = file(copies.resolve("tree"), 17);
        FileTime time = Files.getLastModifiedTime(damaged);
        try (RandomAccessFile open = new RandomAccessFile(damaged.toFile(), "rw")) {
            open.seek(500);
            open.write(random.nextInt());
        }
        Files.setLastModifiedTime(damaged, time);
        assertThat(audit().problems()).anySatisfy(problem -> assertThat(problem).contains("f17"));
        assertThat(audit().hasSteps()).isTrue();
    }

    @Test
    void oneChangedFileLeavesAllOthersOut() throws IOException {
        copy();
        change(20, 5);
        assertThat(copy()).isEqualTo(1);
        assertThat(earlier().unchanged().cardinality()).isEqualTo(FILES + 1);
    }

    /** Sizes and times are the same, but nothing is known of the bytes. */
    @Test
    void whatIsNotRecordedIsNotTrusted() throws IOException {
        copy();
        Path record = records.of(copies, "key");
        Files.delete(record);
        assertThat(earlier().unchanged().isEmpty()).isTrue();
        assertThat(copy()).isEqualTo(FILES);
    }

    @Test
    void anotherTimeSizeModeOrKindIsNotTrusted() throws IOException {
        copy();
        Path top = copies.resolve("tree");
        Files.setLastModifiedTime(file(top, 3), FileTime.fromMillis(1));
        Files.write(file(top, 4), new byte[3]);
        Files.setAttribute(file(top, 5), "unix:mode", 0640);
        Files.delete(file(top, 6));
        Files.createSymbolicLink(file(top, 6), source.resolve("f06"));
        Manifest wanted = wanted();
        BitSet unchanged = earlier().unchanged();
        List<String> others = IntStream.range(0, wanted.entryCount())
                .filter(entry -> !unchanged.get(entry))
                .mapToObj(wanted::pathText)
                .toList();
        assertThat(others).contains("tree/f03", "tree/f04", "tree/f05", "tree/f06");
        assertThat(others).doesNotContain("tree/f20", "tree/sub/empty");
    }

    @Test
    void anUnreadableOlderJournalMakesItsFilesUnknown() throws IOException {
        copy();
        change(1, 77);
        copy();
        Path older = records.of(copies, "key").resolveSibling("key.journal.1");
        Files.write(older, new byte[] {1, 2, 3});
        assertThat(earlier().unchanged().cardinality()).as("the changed one").isEqualTo(1);
        assertThat(audit().problems()).anySatisfy(problem -> assertThat(problem).contains("is not recorded"));
        assertThat(copy()).isEqualTo(FILES - 1);
        assertThat(audit().problems()).isEmpty();
    }

    private Manifest wanted() {
        return TreeScanner.scan(source.toString()).manifest();
    }

    private EarlierCopy earlier() {
        return EarlierCopy.find(copies.toString(), wanted(), records, "key");
    }

    private CopyAudit audit() throws IOException {
        return CopyAudit.of(copies.toString(), records.of(copies, "key"), new AuditProgress() {
            @Override
            public void begin(long totalBytes) {}

            @Override
            public void read(long bytes) {}
        });
    }

    private long journals() throws IOException {
        try (Stream<Path> all = Files.list(folder.resolve("state/copies"))) {
            Path one = all.findFirst().orElseThrow();
            try (Stream<Path> files = Files.list(one)) {
                return files.filter(file -> file.toString().contains(".journal"))
                        .count();
            }
        }
    }

    private static Path file(Path top, int number) {
        return top.resolve(String.format("f%02d", number));
    }

    private void change(int number, int mtimeSeconds) throws IOException {
        byte[] bytes = new byte[FILE_BYTES];
        random.nextBytes(bytes);
        Files.write(file(source, number), bytes);
        Files.setLastModifiedTime(file(source, number), FileTime.fromMillis(1_000_000_000L + mtimeSeconds * 1000L));
    }

    @Test
    void aFileThatWasLeftOutAndIsGoneAtTheEndIsNoSuccess() throws IOException {
        copy();
        change(20, 5);
        Path leftOut = file(copies.resolve("tree"), 3);
        assertThatThrownBy(() -> copy(() -> Files.delete(leftOut)))
                .isInstanceOf(RobberException.class)
                .hasMessageContaining("tree/f03 in the destination was changed by another program during the job");
        assertThat(copy()).as("it is copied next time").isGreaterThan(1);
        assertThat(leftOut).exists();
    }

    @Test
    void aJournalThatAKilledProcessWasCopyingDoesNotStay() throws IOException {
        copy();
        Path record = records.of(copies, "key");
        Path next = Files.write(record.resolveSibling("key.journal.next"), new byte[7]);
        assertThat(audit().problems()).isEmpty();
        change(20, 5);
        copy();
        assertThat(next).doesNotExist();
        assertThat(audit().problems()).isEmpty();
    }

    private interface Interference {
        void run() throws IOException;
    }

    private int copy() throws IOException {
        return copy(() -> {});
    }

    /** Copies what is not known to be there; returns how many files came. */
    private int copy(Interference beforeCommit) throws IOException {
        ScannedTree scanned = TreeScanner.scan(source.toString());
        EarlierCopy earlier = earlier();
        BitSet leftOut = earlier.unchanged();
        Manifest manifest = ManifestPart.without(scanned.manifest(), leftOut);
        PieceLayout layout = new PieceLayout(manifest.totalBytes(), PIECE_BYTES);
        CopyTerms terms = new CopyTerms("key", layout, "xxh3-128", false)
                .after(new LeftOut(scanned.manifest(), leftOut), earlier.manifest());
        PieceHasher hasher = PieceHashers.named("xxh3-128");
        try (TreeSource data = new TreeSource(scanned.without(leftOut));
                TreeTarget target = TreeTarget.open(copies.toString(), manifest, terms)) {
            for (int piece = 0; piece < layout.pieceCount(); piece++) {
                ByteBuffer bytes = ByteBuffer.allocateDirect(layout.lengthBytes(piece));
                data.read(layout.offsetBytes(piece), bytes);
                target.write(layout.offsetBytes(piece), bytes.flip().duplicate());
                target.verified(layout.offsetBytes(piece), layout.lengthBytes(piece), hasher.hash(bytes));
            }
            beforeCommit.run();
            target.commit(records.prepare(target.directory(), target.name()));
        }
        return (int) IntStream.range(0, manifest.entryCount())
                .filter(entry -> manifest.sizeBytes(entry) > 0)
                .count();
    }
}

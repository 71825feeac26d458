package org.robber.transport.storage.record;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.io.TempDir;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.manifest.EntryAttributes;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.ManifestBuilder;
import org.robber.transport.manifest.ManifestCodec;
import org.robber.transport.storage.Trees;
import org.robber.transport.storage.copy.TreeTarget;
import org.robber.transport.storage.file.Staging;
import org.robber.transport.storage.record.PieceJournal.Content;

/**
 * Fuzz targets for what runs leave on disk for the next: journals, and records of copies. An ordinary build replays the inputs
 * kept among the test resources; with {@code JAZZER_FUZZ=1} in the environment, Jazzer looks for new ones.
 */
class RecordFuzzTest {
    private static final byte[] MAGIC = {'R', 'J', 'N', 'L', 2};
    private static final Manifest TREE = new ManifestBuilder()
            .file("a".getBytes(US_ASCII), new EntryAttributes(0644, 1, 0), 150)
            .file("b".getBytes(US_ASCII), new EntryAttributes(0644, 1, 0), 50)
            .build();

    @TempDir
    static Path folder;

    /** Any file at all. */
    @FuzzTest(maxDuration = "1m")
    void journal(byte[] bytes) throws IOException {
        check(bytes);
    }

    /** A head with the right checksum, which nobody finds by trying. */
    @FuzzTest(maxDuration = "1m")
    void head(byte[] bytes) throws IOException {
        check(withHead(bytes, new byte[0]));
    }

    /** A right head, and anything behind it. */
    @FuzzTest(maxDuration = "1m")
    void records(byte[] bytes) throws IOException {
        check(withHead(rightHead(), bytes));
    }

    /** What lies in the place of a record when a copy is verified, or of a journal when it is continued. */
    @FuzzTest(maxDuration = "1m")
    void copy(byte[] bytes) throws IOException {
        Path copy = Files.createDirectories(folder.resolve("copy"));
        Files.write(copy.resolve("a"), new byte[150]);
        Path record = Files.write(folder.resolve("record.journal"), withHead(bytes, new byte[0]));
        CopyAudit audit = CopyAudit.of(copy.toString(), record, new AuditedBytes());
        assertThat(audit == null || !audit.digest().isEmpty()).isTrue();
        try (TreeTarget target = Trees.target(copy.toString(), TREE, "fuzz")) {
            target.verified(0, 200, new byte[16]);
        }
        Files.copy(record, copy.resolve(".robber-fuzz.partial/journal"), StandardCopyOption.REPLACE_EXISTING);
        try (TreeTarget target = Trees.target(copy.toString(), TREE, "fuzz")) {
            assertThat(target.verifiedBytes()).isBetween(0L, 200L);
        } finally {
            Staging.delete(copy);
        }
    }

    /** The file that says which directory records are about. */
    @FuzzTest(maxDuration = "1m")
    void place(byte[] bytes) throws IOException {
        CopyRecords records = new CopyRecords(folder.resolve("state"), "here");
        Path other = Files.createDirectories(folder.resolve("state/copies/other"));
        Files.write(other.resolve("place"), bytes);
        Path copy = Files.createDirectories(folder.resolve("kept"));

        Path record = records.prepare(copy, "name");
        assertThat(record).isNotNull();
        assertThat(record.getParent()).isDirectory();
        assertThat(records.copies(copy.toString())).isEmpty();
    }

    private static void check(byte[] bytes) throws IOException {
        Path file = Files.write(folder.resolve("journal"), bytes);
        Content content = PieceJournal.read(file);
        if (content == null) {
            return;
        }
        int pieces = content.head().layout().pieceCount();
        assertThat(content.endBytes()).isLessThanOrEqualTo(bytes.length);
        assertThat(content.digests().known().capacity()).isEqualTo(pieces);
        if (pieces > 0) {
            byte[] digest = new byte[content.head().digestBytes()];
            try (PieceJournal journal = PieceJournal.resume(file, content)) {
                journal.append(pieces - 1, digest);
            }
            Content again = PieceJournal.read(file);
            assertThat(again).isNotNull();
            assertThat(again.digests().get(pieces - 1)).isEqualTo(digest);
            assertThat(again.digests().known().size())
                    .isBetween(
                            content.digests().known().size(),
                            content.digests().known().size() + 1);
        }
    }

    private static byte[] rightHead() {
        byte[] manifest = ManifestCodec.encode(TREE);
        byte[] name = "xxh3-128".getBytes(US_ASCII);
        return ByteBuffer.allocate(18 + name.length + manifest.length)
                .putLong(TREE.totalBytes())
                .putInt(100)
                .putInt(new FileParts(TREE, new PieceLayout(TREE.totalBytes(), 100)).count())
                .put((byte) 16)
                .put((byte) name.length)
                .put(name)
                .put(manifest)
                .array();
    }

    private static byte[] withHead(byte[] head, byte[] rest) {
        CRC32C crc = new CRC32C();
        crc.update(head);
        return ByteBuffer.allocate(MAGIC.length + 8 + head.length + rest.length)
                .put(MAGIC)
                .putInt(head.length)
                .put(head)
                .putInt((int) crc.getValue())
                .put(rest)
                .array();
    }
}

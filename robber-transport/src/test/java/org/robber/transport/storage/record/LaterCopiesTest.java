package org.robber.transport.storage.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.manifest.EntryAttributes;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.ManifestBuilder;
import org.robber.transport.manifest.ManifestPart;
import org.robber.transport.storage.Trees;
import org.robber.transport.storage.copy.CopyTerms;
import org.robber.transport.storage.copy.EarlierCopy;
import org.robber.transport.storage.copy.LeftOut;
import org.robber.transport.storage.copy.TreeTarget;

/** Copies of several sources to one directory: each path belongs to the one that came there last. */
class LaterCopiesTest {
    private static final int FILE_BYTES = 100;
    private static final LeftOut NOTHING = new LeftOut(new ManifestBuilder().build(), new BitSet());

    @TempDir
    Path folder;

    private Path dest;
    private CopyRecords records;

    @BeforeEach
    void makeDestination() throws IOException {
        dest = Files.createDirectory(folder.resolve("dest"));
        records = new CopyRecords(folder.resolve("state"), "host");
    }

    @Test
    void eachFileIsJudgedOnceByTheCopyThatCameLast() throws IOException {
        copy("one", "a", "x", "y");
        copy("two", "b", "x", "z");
        copy("three", "y", "z");
        copy("one", "a", "x");

        assertThat(audits())
                .allSatisfy((name, audit) -> assertThat(audit.problems()).isEmpty());
        assertThat(judges("a")).containsExactly("one");
        assertThat(judges("x")).containsExactly("one");
        assertThat(judges("b")).containsExactly("two");
        assertThat(judges("y")).containsExactly("three");
        assertThat(judges("z")).containsExactly("three");
        assertThat(audits().get("two").replaced()).isEqualTo(2);
        assertThat(audits().get("two").isGone()).isFalse();
    }

    @Test
    void aCopyOfWhichNothingIsLeftIsJudgedByTheLaterOne() throws IOException {
        copy("one", "x", "y");
        copy("two", "x", "y", "z");

        assertThat(audits().get("one").isGone()).isTrue();
        assertThat(audits().get("two").isGone()).isFalse();
        assertThat(judges("x")).containsExactly("two");
    }

    @Test
    void theLastCopyIsTheLastOneAlsoIfTheClockWentBack() throws IOException {
        copy("one", "x");
        FileTime ahead = FileTime.from(Instant.now().plusSeconds(1000));
        Files.setLastModifiedTime(records.of(dest, "one"), ahead);
        copy("two", "x");

        assertThat(judges("x")).containsExactly("two");
        assertThat(records.copies(dest.toString()).get("two")).isGreaterThan(ahead);
    }

    /** Its record is away while it puts files in their places, and it is not known what it consists of then. */
    @Test
    void aCopyWithoutItsLastJournalIsKnownToExist() throws IOException {
        copy("one", "a", "x");
        copy("two", "x");
        records.prepare(dest, "two");

        assertThat(records.copies(dest.toString())).containsOnlyKeys("one", "two");
        assertThat(unchanged("one", "a", "x")).isEmpty();
        copy("one", "a", "x");
        assertThat(unchanged("one", "a", "x")).as("that was later").containsExactly("a", "x");
    }

    @Test
    void aLaterCopyUnderThatNameAloneIsNotJudgedWithTheTree() throws IOException {
        copy("one", "a", "x");
        copyTo(dest.resolve("y").toString(), "single", "source");
        assertThat(audit("one").problems()).isEmpty();
        Files.delete(dest.resolve("x"));
        copyTo(dest.resolve("x").toString(), "single", "source");

        assertThat(records.copies(dest.toString())).containsOnlyKeys("one");
        CopyAudit one = audit("one");
        assertThat(one.problems())
                .containsExactly(
                        "x: another copy has replaced it, of a single file or a tree; 'verify' of its DEST looks at it");
        assertThat(one.replaced()).isEqualTo(1);
    }

    /** The run may have put any of its files in place before it was killed. */
    @Test
    void aRunThatWasKilledInItsCommitWasTheLastOne() throws IOException {
        copy("one", "a", "x");
        copy("two", "x", "y");
        records.prepare(dest, "one");
        assertThat(unchanged("two", "x", "y")).isEmpty();
        assertThat(records.copies(dest.toString()).get("one"))
                .isGreaterThan(records.copies(dest.toString()).get("two"));

        copy("two", "x", "y");
        records.prepare(dest, "one");
        assertThat(unchanged("two", "x", "y")).as("killed once more").isEmpty();
    }

    /** It may have the bytes of that source, so the earlier copy is judged by it, and reads it when it comes again. */
    @Test
    void aFileThatTheLaterSourceHasNoMoreIsJudgedByTheEarlierCopy() throws IOException {
        copy("one", "a", "x");
        copy("two", "x", "y");
        assertThat(judges("x")).containsExactly("two");
        copyAgain("two", List.of("y"), List.of("y"));

        assertThat(judges("x")).containsExactly("one");
        assertThat(unchanged("one", "a", "x")).containsExactly("a");
    }

    @Test
    void whatIsInADirectoryThatALaterFileHasReplacedIsReplaced() throws IOException {
        copy("one", "a", "d/x");
        Files.delete(dest.resolve("d/x"));
        Files.delete(dest.resolve("d"));
        copy("two", "d");

        CopyAudit one = audits().get("one");
        assertThat(one.problems()).isEmpty();
        assertThat(one.replaced()).isEqualTo(1);
    }

    /** One of its journals may be older than another source's record. */
    @Test
    void filesThatCameAgainSinceAreNotReadAgain() throws IOException {
        copy("one", "a", "x");
        copy("two", "x");
        assertThat(unchanged("one", "a", "x")).containsExactly("a");
        copyAgain("one", List.of("a", "x"), List.of("a"));

        assertThat(unchanged("one", "a", "x")).containsExactly("a", "x");
    }

    @Test
    void anEmptyFileStaysTheOwnOneWhenOthersCameAgain() throws IOException {
        copy("one", "a", "empty");
        copy("two", "empty");
        copyAgain("one", List.of("a", "empty"), List.of("a"));
        copyAgain("one", List.of("a", "empty"), List.of("empty"));

        assertThat(unchanged("one", "a", "empty")).containsExactly("a", "empty");
        assertThat(audits().get("one").replaced()).isZero();
        assertThat(audits().get("two").isGone()).isTrue();
    }

    /** The names of the copies that find damage in a file. */
    private List<String> judges(String file) throws IOException {
        Path path = dest.resolve(file);
        byte[] right = Files.readAllBytes(path);
        FileTime time = Files.getLastModifiedTime(path);
        byte[] wrong = right.clone();
        wrong[7] ^= 1;
        Files.write(path, wrong);
        List<String> judges = new ArrayList<>();
        audits().forEach((name, audit) -> {
            if (!audit.intact()) {
                judges.add(name);
            }
        });
        Files.write(path, right);
        Files.setLastModifiedTime(path, time);
        return judges;
    }

    private Map<String, CopyAudit> audits() throws IOException {
        Map<String, CopyAudit> audits = new TreeMap<>();
        for (String name : records.copies(dest.toString()).keySet()) {
            audits.put(name, audit(name));
        }
        return audits;
    }

    private CopyAudit audit(String name) throws IOException {
        return Objects.requireNonNull(CopyAudit.of(dest.toString(), records.of(dest, name), new AuditedBytes()));
    }

    private List<String> unchanged(String name, String... files) {
        Manifest wanted = manifest(files);
        return EarlierCopy.find(dest.toString(), wanted, records, name).unchanged().stream()
                .mapToObj(wanted::pathText)
                .toList();
    }

    private void copy(String name, String... files) throws IOException {
        copyTo(dest.toString(), name, files);
    }

    private void copyTo(String destination, String name, String... files) throws IOException {
        try (TreeTarget target = half(destination, name, manifest(files), NOTHING)) {
            target.commit(records.prepare(target.directory(), target.name()));
        }
    }

    /** Copies some files, and leaves out others that are in their places. */
    private void copyAgain(String name, List<String> all, List<String> inPlace) throws IOException {
        Manifest whole = manifest(all.toArray(String[]::new));
        BitSet files = new BitSet();
        for (String file : inPlace) {
            files.set(all.indexOf(file));
        }
        LeftOut leftOut = new LeftOut(whole, files);
        try (TreeTarget target = half(dest.toString(), name, ManifestPart.without(whole, files), leftOut)) {
            target.commit(records.prepare(target.directory(), target.name()));
        }
    }

    /** A copy of which all bytes have come. */
    private static TreeTarget half(String destination, String name, Manifest manifest, LeftOut leftOut)
            throws IOException {
        PieceLayout layout = new PieceLayout(manifest.totalBytes(), 64);
        CopyTerms terms = new CopyTerms(name, layout, "xxh3-128", false).after(leftOut, null);
        TreeTarget target = TreeTarget.open(destination, manifest, terms);
        byte[] data = new byte[(int) manifest.totalBytes()];
        Arrays.fill(data, (byte) name.hashCode());
        for (int piece = 0; piece < layout.pieceCount(); piece++) {
            ByteBuffer bytes = ByteBuffer.wrap(data, (int) layout.offsetBytes(piece), layout.lengthBytes(piece))
                    .slice();
            target.write(layout.offsetBytes(piece), bytes.duplicate());
            target.verified(
                    layout.offsetBytes(piece),
                    layout.lengthBytes(piece),
                    PieceHashers.named("xxh3-128").hash(bytes));
        }
        return target;
    }

    /** Files of one time, and of one size unless they are empty. Those in the directory {@code d} come after those before it. */
    private static Manifest manifest(String... files) {
        ManifestBuilder builder = new ManifestBuilder();
        for (String file : files) {
            EntryAttributes plain = new EntryAttributes(0644, 1_000_000, 500);
            if (file.startsWith("d/")) {
                builder.directory(Trees.bytes("d"), new EntryAttributes(0755, 2, 0))
                        .file(Trees.bytes(file.substring(2)), plain, FILE_BYTES)
                        .endDirectory();
            } else {
                builder.file(Trees.bytes(file), plain, file.equals("empty") ? 0 : FILE_BYTES);
            }
        }
        return builder.build();
    }
}

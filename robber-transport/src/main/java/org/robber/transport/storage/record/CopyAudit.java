package org.robber.transport.storage.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.ManifestCodec;
import org.robber.transport.manifest.ManifestPart;
import org.robber.transport.storage.file.Destination;
import org.robber.transport.storage.file.RawPaths;
import org.robber.transport.storage.record.PieceJournal.Content;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares a copy with the record of when it was complete: names, kinds, sizes, link targets and bytes, but not modes and
 * times. Entries that a later copy has replaced are no part of it any more.
 *
 * @param encodedManifest what the copy consists of
 * @param layout its pieces; those of the last run if it came in several
 * @param digest name of the digest of its pieces
 * @param fingerprint of the manifest: the same wherever the same was copied
 * @param dataFingerprint of all bytes as they were recorded, which depends on the digest and the pieces; empty if the copy came in several runs, or if
 *     something of it was replaced
 * @param replaced how many files and links were replaced
 * @param isGone whether all of them were
 * @param problems each names an entry, and says what is wrong with it; empty if nothing is
 */
@SuppressWarnings("ArrayRecordComponent") // these are never compared
public record CopyAudit(
        byte[] encodedManifest,
        PieceLayout layout,
        String digest,
        String fingerprint,
        String dataFingerprint,
        int replaced,
        boolean isGone,
        List<String> problems) {
    private static final Logger LOG = LoggerFactory.getLogger(CopyAudit.class);

    /**
     * Reads a copy and compares it with its record.
     *
     * @param destination a path as the user gave it when the copy was made
     * @param record from {@link CopyRecords}
     * @param progress told how much has been read
     * @return what was found; a file that belongs to a copy with another destination is a problem; null if the record is damaged, so that nothing is known of the copy
     * @throws IOException if the record can't be read
     */
    public static @Nullable CopyAudit of(String destination, Path record, AuditProgress progress) throws IOException {
        CopyHistory history = CopyHistory.read(record);
        if (history == null) {
            LOG.warn("{} is damaged, so nothing is known of the copy in {}", RawPaths.text(record), destination);
            return null;
        }
        Manifest whole = history.whole();
        Destination place = Destination.ofCopy(destination);
        LaterCopies later = LaterCopies.of(record, history, whole, place);
        BitSet replaced = later.entries(any -> true);
        // A single file has a destination of its own, which is looked at alone.
        String suffix = CopyRecords.suffix(CopyRecords.name(record));
        BitSet elsewhere = later.entries(owner -> !CopyRecords.suffix(owner).equals(suffix));
        List<String> problems = new LayerAudit(history, place, replaced, progress).problems();
        elsewhere.stream()
                .mapToObj(
                        entry -> whole.pathText(entry)
                                + ": another copy has replaced it, of a single file or a tree; 'verify' of its DEST looks at it")
                .forEach(problems::add);
        Manifest own = ManifestPart.without(whole, replaced);
        byte[] manifest = ManifestCodec.encode(own);
        CopyLayer newest = history.layers().get(0);
        boolean isOneRun = !history.hasSteps() && replaced.isEmpty();
        return new CopyAudit(
                manifest,
                newest.layout(),
                newest.content().head().digest(),
                fingerprint(ByteBuffer.wrap(manifest)),
                isOneRun ? fingerprint(newest.content()) : "",
                leaves(whole) - leaves(own),
                !replaced.isEmpty() && leaves(own) == 0,
                problems);
    }

    /** How many entries are no directories. */
    private static int leaves(Manifest manifest) {
        return (int) IntStream.range(0, manifest.entryCount())
                .filter(entry -> manifest.kind(entry) != EntryKind.DIRECTORY)
                .count();
    }

    /** Whether the copy equals its record. */
    public boolean intact() {
        return problems.isEmpty();
    }

    /** Whether it came in several runs, each of which left out what was there already, or is not whole any more. */
    public boolean hasSteps() {
        return dataFingerprint.isEmpty();
    }

    private static String fingerprint(Content content) {
        int pieces = content.head().layout().pieceCount();
        ByteBuffer all = ByteBuffer.allocate(pieces * content.head().digestBytes());
        for (int piece = 0; piece < pieces; piece++) {
            if (content.digests().known().contains(piece)) {
                all.put(content.digests().get(piece));
            }
        }
        return fingerprint(all.flip());
    }

    private static String fingerprint(ByteBuffer bytes) {
        return HexFormat.of().formatHex(PieceHashers.named("sha256").hash(bytes), 0, 8);
    }
}

package org.robber.transport.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.ManifestCodec;
import org.robber.transport.manifest.ManifestException;
import org.robber.transport.storage.PieceJournal.Content;

/**
 * Compares a copy with the record of when it was complete: names, kinds, sizes, link targets and bytes, but not modes and
 * times.
 *
 * @param encodedManifest what the copy consists of
 * @param layout its pieces
 * @param digest name of the digest of its pieces
 * @param fingerprint of manifest and all bytes as they were recorded: the same wherever the same was copied
 * @param problems each names an entry, and says what is wrong with it, those that are certain first; empty if nothing is
 */
@SuppressWarnings("ArrayRecordComponent") // these are never compared
public record CopyAudit(
        byte[] encodedManifest, PieceLayout layout, String digest, String fingerprint, List<String> problems) {

    /** Told how much of a copy has been read, by the thread that reads. What it throws ends the audit. */
    public interface Progress {

        /** The copy has so many bytes, and reading begins. */
        void begin(long totalBytes);

        /** So many more bytes have been read, or could not be. */
        void read(long bytes);
    }

    /**
     * Reads a copy and compares it with its record.
     *
     * @param destination a path as the user gave it when the copy was made
     * @param record from {@link CopyRecords}
     * @param progress told how much has been read
     * @throws IOException if the record can't be read
     */
    public static CopyAudit of(String destination, Path record, Progress progress) throws IOException {
        Content content = PieceJournal.read(record);
        if (content == null) {
            throw new IOException(RawPaths.text(record) + ": is damaged");
        }
        Manifest manifest;
        try {
            manifest = ManifestCodec.decode(content.head().manifest());
        } catch (ManifestException e) {
            throw new IOException(RawPaths.text(record) + ": is damaged: " + e.getMessage(), e);
        }
        if (manifest.totalBytes() != content.head().layout().totalBytes()) {
            throw new IOException(RawPaths.text(record) + ": is damaged: pieces of something else");
        }
        Path path = Path.of(destination).toAbsolutePath();
        Path parent = path.getParent();
        Destination place = Files.isDirectory(path) || parent == null
                ? new Destination(path, false, null)
                : new Destination(parent, false, path);
        return new CopyAudit(
                content.head().manifest(),
                content.head().layout(),
                content.head().digest(),
                fingerprint(content),
                problems(manifest, place, content, progress));
    }

    /** Whether the copy equals its record. */
    public boolean intact() {
        return problems.isEmpty();
    }

    private static String fingerprint(Content content) {
        int pieces = content.head().layout().pieceCount();
        ByteBuffer all = ByteBuffer.allocate(
                content.head().manifest().length + pieces * content.head().digestBytes());
        all.put(content.head().manifest());
        for (int piece = 0; piece < pieces; piece++) {
            if (content.digests().known().contains(piece)) {
                all.put(content.digests().get(piece));
            }
        }
        return HexFormat.of().formatHex(PieceHashers.named("sha256").hash(all.flip()), 0, 8);
    }

    private static List<String> problems(Manifest manifest, Destination place, Content content, Progress progress) {
        progress.begin(manifest.totalBytes());
        String[] found = new String[manifest.entryCount()];
        for (int i = 0; i < found.length; i++) {
            found[i] = difference(manifest, i, place.path(manifest, i));
        }
        PieceSet bad = PieceSet.full(content.head().layout().pieceCount());
        bad.removeAll(VerifiedPieces.reread(content, (offset, bytes) -> {
                    int length = bytes.remaining();
                    try {
                        read(manifest, place, offset, bytes);
                    } finally {
                        progress.read(length);
                    }
                })
                .known());
        PieceLayout layout = content.head().layout();
        List<String> problems = new ArrayList<>();
        List<String> doubtful = new ArrayList<>();
        for (int i = 0; i < found.length; i++) {
            if (!found[i].isEmpty()) {
                problems.add(manifest.pathText(i) + ": " + found[i]);
                continue;
            }
            int damaged = damagedPieces(manifest, i, layout, bad);
            if (damaged > 0) {
                int pieces = lastPiece(manifest, i, layout) - firstPiece(manifest, i, layout) + 1;
                String problem =
                        manifest.pathText(i) + ": " + damaged + " of " + pieces + " pieces are not what they were";
                if (pieces > 1) {
                    problems.add(problem);
                } else {
                    doubtful.add(problem + ", perhaps because of a file that shares them");
                }
            }
        }
        problems.addAll(doubtful);
        return problems;
    }

    private static String difference(Manifest manifest, int entry, Path path) {
        try {
            FileStat stat = manifest.isRooted() && entry == 0 ? FileStat.ofTarget(path) : FileStat.ofAny(path);
            if (stat == null) {
                return "is missing";
            }
            return switch (manifest.kind(entry)) {
                case FILE ->
                    !stat.isFile()
                            ? "is " + stat.typeText()
                            : stat.sizeBytes() == manifest.sizeBytes(entry)
                                    ? ""
                                    : "has " + stat.sizeBytes() + " bytes, not " + manifest.sizeBytes(entry);
                case DIRECTORY -> stat.isDirectory() ? "" : "is " + stat.typeText();
                case SYMLINK ->
                    !stat.isSymlink()
                            ? "is " + stat.typeText()
                            : Files.readSymbolicLink(path).equals(RawPaths.linkTarget(manifest.linkTarget(entry)))
                                    ? ""
                                    : "leads elsewhere";
            };
        } catch (IOException e) {
            return "cannot be looked at: " + FileFailures.reason(e);
        }
    }

    private static void read(Manifest manifest, Destination place, long offsetBytes, ByteBuffer bytes)
            throws IOException {
        Ranges.forEachFile(manifest, offsetBytes, bytes, (entry, position, part) -> {
            Path path = place.path(manifest, entry);
            // Looked at first: opening a fifo that has taken the file's place would wait for ever.
            if (!FileStat.of(path).isFile()) {
                throw new IOException("not a file");
            }
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
                if (!Ranges.readFully(channel, position, part)) {
                    throw new IOException("too short");
                }
            }
        });
    }

    /** How many pieces with bytes of this entry are not what they were. */
    private static int damagedPieces(Manifest manifest, int entry, PieceLayout layout, PieceSet bad) {
        if (manifest.kind(entry) != EntryKind.FILE || manifest.sizeBytes(entry) == 0) {
            return 0;
        }
        int last = lastPiece(manifest, entry, layout);
        int damaged = 0;
        for (int piece = bad.nextFrom(firstPiece(manifest, entry, layout));
                piece >= 0 && piece <= last;
                piece = bad.nextFrom(piece + 1)) {
            damaged++;
        }
        return damaged;
    }

    private static int firstPiece(Manifest manifest, int file, PieceLayout layout) {
        return (int) (manifest.offsetBytes(file) / layout.pieceBytes());
    }

    private static int lastPiece(Manifest manifest, int file, PieceLayout layout) {
        return (int) ((manifest.offsetBytes(file) + manifest.sizeBytes(file) - 1) / layout.pieceBytes());
    }
}

package org.robber.transport.storage.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.memory.AlignedMemory;
import org.robber.transport.storage.file.Destination;
import org.robber.transport.storage.file.FileFailures;
import org.robber.transport.storage.file.FileStat;
import org.robber.transport.storage.file.Ranges;
import org.robber.transport.storage.file.RawPaths;

/** Reads a copy, and compares it with the journals of the runs that it came in, the newest first. */
final class LayerAudit {
    private final Manifest whole;
    private final List<CopyLayer> layers;
    private final Destination place;
    private final BitSet replaced;
    private final AuditProgress progress;

    /** What is wrong with each entry; empty if nothing is known to be. */
    private final String[] found;

    /** Files that were compared, or need not be. */
    private final BitSet compared = new BitSet();

    /** @param replaced entries that are not looked at, since a later copy has them */
    LayerAudit(CopyHistory history, Destination place, BitSet replaced, AuditProgress progress) {
        this.replaced = replaced;
        this.whole = history.whole();
        this.layers = history.layers();
        this.place = place;
        this.progress = progress;
        this.found = new String[whole.entryCount()];
    }

    /** What is wrong. */
    List<String> problems() {
        progress.begin(whole.totalBytes()
                - replaced.stream().mapToLong(whole::sizeBytes).sum());
        compared.or(replaced);
        for (int i = 0; i < found.length; i++) {
            found[i] = replaced.get(i) ? "" : difference(i, place.path(whole, i));
            if (whole.sizeBytes(i) == 0) {
                compared.set(i);
            }
        }
        layers.forEach(this::compare);
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < found.length; i++) {
            if (found[i].isEmpty() && !compared.get(i)) {
                found[i] = "is not recorded: 'replicate --checksum' compares it with the source";
            }
            if (!found[i].isEmpty()) {
                problems.add(whole.pathText(i) + ": " + found[i]);
            }
        }
        return problems;
    }

    /** Compares the files whose bytes this run has brought, and no later one. */
    private void compare(CopyLayer layer) {
        int[] places = layer.places(whole);
        PieceHasher hasher = PieceHashers.named(layer.content().head().digest());
        ByteBuffer buffer = AlignedMemory.allocateDirect(
                (int) Math.min(layer.layout().pieceBytes(), layer.layout().totalBytes()));
        for (int file = 0; file < places.length; file++) {
            int entry = places[file];
            if (entry >= 0 && !compared.get(entry) && layer.isRecorded(file)) {
                compared.set(entry);
                if (found[entry].isEmpty()) {
                    found[entry] = damage(layer, file, place.path(whole, entry), hasher, buffer);
                } else {
                    progress.read(whole.sizeBytes(entry));
                }
            }
        }
    }

    /** What is wrong with the bytes of a file. */
    private String damage(CopyLayer layer, int file, Path path, PieceHasher hasher, ByteBuffer buffer) {
        FileParts parts = layer.parts();
        int first = parts.firstPiece(file);
        int last = parts.lastPiece(file);
        int damaged = 0;
        long readBytes = 0;
        try (FileChannel channel = open(path)) {
            for (int piece = first; piece <= last; piece++) {
                long start = parts.startInFile(file, piece);
                int lengthBytes = (int) (parts.endInFile(file, piece) - start);
                buffer.clear().limit(lengthBytes);
                boolean isRight = Ranges.readFully(channel, start, buffer)
                        && Arrays.equals(hasher.hash(buffer.flip()), layer.digest(file, piece));
                damaged += isRight ? 0 : 1;
                readBytes += lengthBytes;
                progress.read(lengthBytes);
            }
        } catch (IOException e) {
            progress.read(layer.manifest().sizeBytes(file) - readBytes);
            return "cannot be read: " + FileFailures.reason(e);
        }
        return damaged == 0 ? "" : damaged + " of " + (last - first + 1) + " pieces are not what they were";
    }

    private static FileChannel open(Path path) throws IOException {
        // Looked at first: opening a fifo that has taken the file's place would wait for ever.
        if (!FileStat.of(path).isFile()) {
            throw new IOException("not a file");
        }
        return FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    }

    private String difference(int entry, Path path) {
        try {
            FileStat stat = whole.isRooted() && entry == 0 ? FileStat.ofTarget(path) : FileStat.ofAny(path);
            if (stat == null) {
                return "is missing";
            }
            return switch (whole.kind(entry)) {
                case FILE ->
                    !stat.isFile()
                            ? "is " + stat.typeText()
                            : stat.sizeBytes() == whole.sizeBytes(entry)
                                    ? ""
                                    : "has " + stat.sizeBytes() + " bytes, not " + whole.sizeBytes(entry);
                case DIRECTORY -> stat.isDirectory() ? "" : "is " + stat.typeText();
                case SYMLINK ->
                    !stat.isSymlink()
                            ? "is " + stat.typeText()
                            : Files.readSymbolicLink(path).equals(RawPaths.linkTarget(whole.linkTarget(entry)))
                                    ? ""
                                    : "leads elsewhere";
            };
        } catch (IOException e) {
            return "cannot be looked at: " + FileFailures.reason(e);
        }
    }
}

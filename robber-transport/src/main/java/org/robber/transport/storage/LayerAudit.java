package org.robber.transport.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.robber.core.piece.PieceSet;
import org.robber.transport.manifest.Manifest;

/** Reads a copy, and compares it with the journals of the runs that it came in, the newest first. */
final class LayerAudit {
    private final Manifest whole;
    private final List<CopyLayer> layers;
    private final Destination place;
    private final CopyAudit.Progress progress;

    /** What is wrong with each entry; empty if nothing is known to be. */
    private final String[] found;

    /** Entries whose problem may be that of another file, since only a piece that they share is damaged. */
    private final BitSet doubtful = new BitSet();

    /** Files that were compared, or need not be. */
    private final BitSet compared = new BitSet();

    LayerAudit(CopyHistory history, Destination place, CopyAudit.Progress progress) {
        this.whole = history.whole();
        this.layers = history.layers();
        this.place = place;
        this.progress = progress;
        this.found = new String[whole.entryCount()];
    }

    /** What is wrong, what is certain first. */
    List<String> problems() {
        progress.begin(whole.totalBytes());
        for (int i = 0; i < found.length; i++) {
            found[i] = difference(i, place.path(whole, i));
            if (whole.sizeBytes(i) == 0) {
                compared.set(i);
            }
        }
        layers.forEach(this::compare);
        List<String> problems = new ArrayList<>();
        List<String> perhaps = new ArrayList<>();
        for (int i = 0; i < found.length; i++) {
            if (found[i].isEmpty() && !compared.get(i)) {
                found[i] = "is not recorded: 'replicate --checksum' compares it with the source";
            }
            if (!found[i].isEmpty()) {
                (doubtful.get(i) ? perhaps : problems).add(whole.pathText(i) + ": " + found[i]);
            }
        }
        problems.addAll(perhaps);
        return problems;
    }

    /** Compares the files whose bytes this run has brought, and no later one. */
    private void compare(CopyLayer layer) {
        int[] places = layer.places(whole);
        BitSet all = new BitSet();
        all.set(0, whole.entryCount());
        BitSet stale = layer.stale(places, all);
        PieceSet wanted = PieceSet.empty(layer.layout().pieceCount());
        BitSet files = new BitSet();
        for (int file = 0; file < places.length; file++) {
            if (places[file] >= 0 && !compared.get(places[file]) && layer.isWhole(file, stale)) {
                files.set(file);
                for (int piece = layer.firstPiece(file); piece <= layer.lastPiece(file); piece++) {
                    wanted.add(piece);
                }
            }
        }
        PieceSet right = VerifiedPieces.reread(layer.content(), wanted, (offset, bytes) -> {
                    int length = bytes.remaining();
                    try {
                        read(layer.manifest(), offset, bytes);
                    } finally {
                        progress.read(length);
                    }
                })
                .known();
        for (int file = files.nextSetBit(0); file >= 0; file = files.nextSetBit(file + 1)) {
            compared.set(places[file]);
            judge(layer, file, places[file], right);
        }
    }

    private void judge(CopyLayer layer, int file, int entry, PieceSet right) {
        int damaged = 0;
        for (int piece = layer.firstPiece(file); piece <= layer.lastPiece(file); piece++) {
            damaged += right.contains(piece) ? 0 : 1;
        }
        if (damaged > 0 && found[entry].isEmpty()) {
            int pieces = layer.lastPiece(file) - layer.firstPiece(file) + 1;
            found[entry] = damaged + " of " + pieces + " pieces are not what they were"
                    + (pieces > 1 ? "" : ", perhaps because of a file that shares them");
            doubtful.set(entry, pieces == 1);
        }
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

    private void read(Manifest manifest, long offsetBytes, ByteBuffer bytes) throws IOException {
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
}

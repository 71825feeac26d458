package org.robber.transport.storage.record;

import org.robber.core.piece.PieceLayout;
import org.robber.transport.manifest.Manifest;

/**
 * The parts of files in pieces that several files share. Each part has a number, and a digest of its own in the record of a copy. So what is
 * known of a file stays known when another file in its pieces changes. A file has two such parts at most: in its first and in its last piece.
 */
final class FileParts {
    private final Manifest manifest;
    private final PieceLayout layout;

    /** How many parts the files before each entry have. */
    private final int[] before;

    FileParts(Manifest manifest, PieceLayout layout) {
        this.manifest = manifest;
        this.layout = layout;
        this.before = new int[manifest.entryCount() + 1];
        for (int entry = 0; entry < manifest.entryCount(); entry++) {
            int parts = 0;
            if (manifest.sizeBytes(entry) > 0) {
                int first = firstPiece(entry);
                int last = lastPiece(entry);
                parts = (isShared(entry, first) ? 1 : 0) + (last > first && isShared(entry, last) ? 1 : 0);
            }
            before[entry + 1] = before[entry] + parts;
        }
    }

    /** How many there are; 0 if there are more than a table of digests holds, which no memory of a node does either. */
    int count() {
        int all = before[manifest.entryCount()];
        return all <= PieceLayout.MAX_PIECES ? all : 0;
    }

    /** The number of the part of a file in one of its pieces; -1 if no other file has bytes there. */
    int number(int file, int piece) {
        if (!isShared(file, piece)) {
            return -1;
        }
        int first = firstPiece(file);
        return before[file] + (piece > first && isShared(file, first) ? 1 : 0);
    }

    private boolean isShared(int file, int piece) {
        long startBytes = layout.offsetBytes(piece);
        return startBytes < manifest.offsetBytes(file) || startBytes + layout.lengthBytes(piece) > endBytes(file);
    }

    private long endBytes(int file) {
        return manifest.offsetBytes(file) + manifest.sizeBytes(file);
    }

    /** The first piece with bytes of a file that is not empty. */
    int firstPiece(int file) {
        return (int) (manifest.offsetBytes(file) / layout.pieceBytes());
    }

    /** The last piece with bytes of a file that is not empty. */
    int lastPiece(int file) {
        return (int) ((endBytes(file) - 1) / layout.pieceBytes());
    }

    /** Where in the file its bytes in this piece begin. */
    long startInFile(int file, int piece) {
        return Math.max(0, layout.offsetBytes(piece) - manifest.offsetBytes(file));
    }

    /** Where in the file its bytes in this piece end. */
    long endInFile(int file, int piece) {
        long pieceEndBytes = layout.offsetBytes(piece) + layout.lengthBytes(piece);
        return Math.min(manifest.sizeBytes(file), pieceEndBytes - manifest.offsetBytes(file));
    }
}

package org.robber.transport.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.ManifestCodec;
import org.robber.transport.manifest.ManifestException;
import org.robber.transport.manifest.SameEntries;
import org.robber.transport.storage.PieceJournal.Content;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal of one run that a copy came in.
 *
 * @param file where it is
 * @param manifest what came in that run
 */
record CopyLayer(Path file, Content content, Manifest manifest) {
    private static final Logger LOG = LoggerFactory.getLogger(CopyLayer.class);

    /** Null if there is none that can be used. */
    static @Nullable CopyLayer read(Path file) throws IOException {
        Content content = PieceJournal.read(file);
        if (content == null) {
            return null;
        }
        try {
            Manifest manifest =
                    ManifestCodec.decode(ByteBuffer.wrap(content.head().manifest()));
            return manifest.totalBytes() == content.head().layout().totalBytes()
                    ? new CopyLayer(file, content, manifest)
                    : null;
        } catch (ManifestException e) {
            LOG.debug("{} is damaged", file, e);
            return null;
        }
    }

    PieceLayout layout() {
        return content.head().layout();
    }

    /**
     * The files that lie in pieces of which all bytes are unchanged since this run.
     *
     * @param wanted the manifest that the files are entries of
     * @param unchanged those of its files that are what the manifest says
     */
    BitSet covered(Manifest wanted, BitSet unchanged) {
        int[] places = places(wanted);
        BitSet stale = stale(places, unchanged);
        BitSet covered = new BitSet();
        for (int file = 0; file < places.length; file++) {
            if (places[file] >= 0 && unchanged.get(places[file]) && isWhole(file, stale)) {
                covered.set(places[file]);
            }
        }
        return covered;
    }

    /** For each entry of this run, the same file in the other manifest if it has bytes, and the same size and time; else -1. */
    int[] places(Manifest wanted) {
        int[] places = SameEntries.find(manifest, wanted);
        for (int entry = 0; entry < places.length; entry++) {
            if (places[entry] >= 0 && !isSameFile(entry, wanted, places[entry])) {
                places[entry] = -1;
            }
        }
        return places;
    }

    private boolean isSameFile(int entry, Manifest wanted, int place) {
        return manifest.kind(entry) == EntryKind.FILE
                && manifest.sizeBytes(entry) > 0
                && manifest.sizeBytes(entry) == wanted.sizeBytes(place)
                && manifest.attributes(entry).isSameTime(wanted.attributes(place));
    }

    /** The pieces that hold bytes of which nothing is known any more. */
    BitSet stale(int[] places, BitSet unchanged) {
        BitSet stale = new BitSet();
        for (int entry = 0; entry < places.length; entry++) {
            if (manifest.sizeBytes(entry) > 0 && (places[entry] < 0 || !unchanged.get(places[entry]))) {
                stale.set(firstPiece(entry), lastPiece(entry) + 1);
            }
        }
        for (int piece = 0; piece < layout().pieceCount(); piece++) {
            if (!content.digests().known().contains(piece)) {
                stale.set(piece);
            }
        }
        return stale;
    }

    /** Whether none of the file's pieces is among these. */
    boolean isWhole(int file, BitSet stale) {
        int next = stale.nextSetBit(firstPiece(file));
        return next < 0 || next > lastPiece(file);
    }

    /** The first piece with bytes of a file that is not empty. */
    int firstPiece(int file) {
        return (int) (manifest.offsetBytes(file) / layout().pieceBytes());
    }

    /** The last piece with bytes of a file that is not empty. */
    int lastPiece(int file) {
        return (int) ((manifest.offsetBytes(file) + manifest.sizeBytes(file) - 1) / layout().pieceBytes());
    }
}

package org.robber.transport.storage.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.manifest.EntryKind;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.manifest.ManifestCodec;
import org.robber.transport.manifest.ManifestException;
import org.robber.transport.manifest.SameEntries;
import org.robber.transport.storage.record.PieceJournal.Content;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal of one run that a copy came in.
 *
 * @param file where it is
 * @param manifest what came in that run
 * @param parts of its files
 */
record CopyLayer(Path file, Content content, Manifest manifest, FileParts parts) {
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
            PieceLayout layout = content.head().layout();
            if (manifest.totalBytes() != layout.totalBytes()) {
                return null;
            }
            FileParts parts = new FileParts(manifest, layout);
            return parts.count() == content.head().parts() ? new CopyLayer(file, content, manifest, parts) : null;
        } catch (ManifestException e) {
            LOG.debug("{} is damaged", file, e);
            return null;
        }
    }

    /** When it was kept: all that it names was in its place then. */
    FileTime time() throws IOException {
        return Files.getLastModifiedTime(file);
    }

    PieceLayout layout() {
        return content.head().layout();
    }

    /**
     * The files that are unchanged since this run, and of which it has recorded all bytes.
     *
     * @param wanted the manifest that the files are entries of
     * @param unchanged those of its files that are what the manifest says
     */
    BitSet covered(Manifest wanted, BitSet unchanged) {
        int[] places = places(wanted);
        BitSet covered = new BitSet();
        for (int file = 0; file < places.length; file++) {
            if (places[file] >= 0 && unchanged.get(places[file]) && isRecorded(file)) {
                covered.set(places[file]);
            }
        }
        return covered;
    }

    /** For each entry of this run, the same file in the other manifest if it has the same size and time; else -1. */
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
                && manifest.sizeBytes(entry) == wanted.sizeBytes(place)
                && manifest.attributes(entry).isSameTime(wanted.attributes(place));
    }

    /** Whether there are digests for all bytes of a file. */
    boolean isRecorded(int file) {
        if (manifest.sizeBytes(file) == 0) {
            return true;
        }
        int last = parts.lastPiece(file);
        for (int piece = parts.firstPiece(file); piece <= last; piece++) {
            int part = parts.number(file, piece);
            if (part < 0
                    ? !content.digests().known().contains(piece)
                    : part >= content.head().parts() || !content.parts().known().contains(part)) {
                return false;
            }
        }
        return true;
    }

    /** The digest of the bytes that a recorded file has in one of its pieces. */
    byte[] digest(int file, int piece) {
        int part = parts.number(file, piece);
        return part < 0 ? content.digests().get(piece) : content.parts().get(part);
    }
}

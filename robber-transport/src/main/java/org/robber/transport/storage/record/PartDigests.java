package org.robber.transport.storage.record;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.robber.core.piece.PieceLayout;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.manifest.DigestTable;
import org.robber.transport.manifest.Manifest;
import org.robber.transport.storage.file.Ranges;

/** The digests of the {@link FileParts} of a copy, as its bytes are written or read back. Thread-safe for different ranges. */
public final class PartDigests {
    private final Manifest manifest;
    private final FileParts parts;
    private final PieceHasher hasher;
    private final int count;

    @GuardedBy("this")
    private final DigestTable digests;

    public PartDigests(Manifest manifest, PieceLayout layout, PieceHasher hasher) {
        this.manifest = manifest;
        this.parts = new FileParts(manifest, layout);
        this.hasher = hasher;
        this.count = parts.count();
        this.digests = new DigestTable(count, hasher.digestBytes());
    }

    /** How many there can be. */
    public int count() {
        return count;
    }

    /** This is in the copy now, from an offset of the data on. */
    void learn(long offsetBytes, ByteBuffer bytes) throws IOException {
        Ranges.forEachFile(manifest, offsetBytes, bytes.duplicate(), this::learn);
    }

    /** This is in a file now, from a position on. The buffer stays as it is. */
    public void learn(int file, long positionBytes, ByteBuffer bytes) {
        if (count == 0) {
            return;
        }
        int first = parts.firstPiece(file);
        int last = parts.lastPiece(file);
        learn(file, first, positionBytes, bytes);
        if (last > first) {
            learn(file, last, positionBytes, bytes);
        }
    }

    private void learn(int file, int piece, long positionBytes, ByteBuffer bytes) {
        int part = parts.number(file, piece);
        long start = parts.startInFile(file, piece) - positionBytes;
        long end = parts.endInFile(file, piece) - positionBytes;
        if (part < 0 || end <= 0 || start >= bytes.remaining()) {
            return;
        }
        if (start < 0 || end > bytes.remaining()) {
            // Whoever writes half a part leaves the digest of the other half unknown.
            synchronized (this) {
                digests.forget(part);
            }
            return;
        }
        byte[] digest = hasher.hash(bytes.slice(bytes.position() + (int) start, (int) (end - start)));
        synchronized (this) {
            digests.set(part, digest);
        }
    }

    /** Writes those that are known to the journal. */
    synchronized void record(PieceJournal journal) throws IOException {
        journal.appendParts(digests);
    }
}

package org.robber.transport.storage.record;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.digest.PieceHashers;
import org.robber.transport.manifest.DigestTable;
import org.robber.transport.memory.AlignedMemory;
import org.robber.transport.storage.file.Staging;
import org.robber.transport.storage.record.PieceJournal.Content;
import org.robber.transport.storage.record.PieceJournal.Head;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The verified pieces of a copy, in memory for this run and in the journal for the next. Thread-safe. */
public final class VerifiedPieces implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(VerifiedPieces.class);

    private final PieceLayout layout;
    private final int digestBytes;
    private final PieceJournal journal;
    private final PartDigests parts;

    @GuardedBy("this")
    private final DigestTable digests;

    private VerifiedPieces(PieceLayout layout, PieceJournal journal, DigestTable digests, PartDigests parts) {
        this.layout = layout;
        this.journal = journal;
        this.parts = parts;
        this.digestBytes = digests.digestBytes();
        this.digests = digests;
    }

    /** Reads what lies in the half-written copy. */
    @FunctionalInterface
    public interface Reader {
        void read(long offsetBytes, ByteBuffer target) throws IOException;
    }

    /**
     * Finds out what of a half-written copy can be trusted: every piece that the journal names is read back and hashed.
     *
     * @param old what the journal says, of the same source; null if there is none
     * @param parts learns what is read
     */
    public static VerifiedPieces find(Staging staging, Head head, @Nullable Content old, Reader copy, PartDigests parts)
            throws IOException {
        DigestTable digests = new DigestTable(head.layout().pieceCount(), head.digestBytes());
        if (old == null) {
            return new VerifiedPieces(
                    head.layout(), PieceJournal.begin(staging.journal(), head, digests), digests, parts);
        }
        DigestTable whole = reread(old, copy, parts);
        int named = old.digests().known().size();
        if (whole.known().size() < named) {
            LOG.warn(
                    "{} of {} pieces of a half-written copy are damaged, and are fetched again",
                    named - whole.known().size(),
                    named);
        }
        if (old.head().hasSamePieces(head)) {
            return new VerifiedPieces(head.layout(), PieceJournal.resume(staging.journal(), old), whole, parts);
        }
        hashCovered(head, old.head().layout(), whole.known(), copy, digests, parts);
        return new VerifiedPieces(head.layout(), PieceJournal.begin(staging.journal(), head, digests), digests, parts);
    }

    /** The digests of the pieces that are what the journal says. */
    private static DigestTable reread(Content old, Reader copy, PartDigests parts) throws IOException {
        PieceSet named = old.digests().known();
        PieceLayout layout = old.head().layout();
        PieceHasher hasher = PieceHashers.named(old.head().digest());
        DigestTable whole = new DigestTable(layout.pieceCount(), old.head().digestBytes());
        ByteBuffer buffer = layout.pieceCount() == 0 ? ByteBuffer.allocate(0) : buffer(layout);
        for (int piece = named.first(); piece >= 0; piece = named.nextFrom(piece + 1)) {
            byte[] digest = old.digests().get(piece);
            if (Arrays.equals(digest, hash(layout, piece, buffer, copy, hasher))) {
                whole.set(piece, digest);
                parts.learn(layout.offsetBytes(piece), buffer);
            }
        }
        return whole;
    }

    /** Other pieces than before: takes those that consist of old ones that were right. */
    private static void hashCovered(
            Head head, PieceLayout oldLayout, PieceSet whole, Reader copy, DigestTable digests, PartDigests parts)
            throws IOException {
        PieceLayout layout = head.layout();
        PieceHasher hasher = PieceHashers.named(head.digest());
        ByteBuffer buffer = buffer(layout);
        for (int piece = 0; piece < layout.pieceCount(); piece++) {
            long startBytes = layout.offsetBytes(piece);
            int first = (int) (startBytes / oldLayout.pieceBytes());
            int last = (int) ((startBytes + layout.lengthBytes(piece) - 1) / oldLayout.pieceBytes());
            int missing = whole.nextMissingFrom(first);
            if (missing < 0 || missing > last) {
                byte[] digest = hash(layout, piece, buffer, copy, hasher);
                if (digest != null) {
                    digests.set(piece, digest);
                    parts.learn(startBytes, buffer);
                }
            }
        }
    }

    /**
     * Adds the pieces of a copy that are what they have to be.
     *
     * @param right the digests of all pieces
     * @param isThere whether all bytes of a piece, from an offset on, can be read
     */
    public void compare(DigestTable right, Reader copy, PieceHasher hasher, Presence isThere) throws IOException {
        ByteBuffer buffer = layout.pieceCount() == 0 ? ByteBuffer.allocate(0) : buffer(layout);
        for (int piece = 0; piece < layout.pieceCount(); piece++) {
            long offsetBytes = layout.offsetBytes(piece);
            int lengthBytes = layout.lengthBytes(piece);
            if (digest(offsetBytes, lengthBytes) == null && isThere.of(offsetBytes, lengthBytes)) {
                byte[] digest = right.get(piece);
                if (Arrays.equals(digest, hash(layout, piece, buffer, copy, hasher))) {
                    parts.learn(offsetBytes, buffer);
                    add(offsetBytes, lengthBytes, digest);
                }
            }
        }
    }

    /**
     * Adds all pieces of a copy, as they are.
     *
     * @return their digests
     * @throws IOException if one cannot be read
     */
    public DigestTable addAll(Reader copy, PieceHasher hasher) throws IOException {
        DigestTable all = new DigestTable(layout.pieceCount(), digestBytes);
        ByteBuffer buffer = layout.pieceCount() == 0 ? ByteBuffer.allocate(0) : buffer(layout);
        for (int piece = 0; piece < layout.pieceCount(); piece++) {
            byte[] digest = hash(layout, piece, buffer, copy, hasher);
            if (digest == null) {
                throw new IOException("piece " + piece + " of the copy cannot be read");
            }
            parts.learn(layout.offsetBytes(piece), buffer);
            add(layout.offsetBytes(piece), layout.lengthBytes(piece), digest);
            all.set(piece, digest);
        }
        return all;
    }

    /** Tells whether a range of the data is there. */
    @FunctionalInterface
    public interface Presence {
        boolean of(long offsetBytes, int lengthBytes);
    }

    private static ByteBuffer buffer(PieceLayout layout) {
        return AlignedMemory.allocateDirect((int) Math.min(layout.pieceBytes(), layout.totalBytes()));
    }

    /** Null if the piece can't be read: then it isn't here. */
    private static byte @Nullable [] hash(
            PieceLayout layout, int piece, ByteBuffer buffer, Reader copy, PieceHasher hasher) {
        buffer.clear().limit(layout.lengthBytes(piece));
        try {
            copy.read(layout.offsetBytes(piece), buffer);
        } catch (IOException e) {
            LOG.debug("Piece {} of a half-written copy can't be read", piece, e);
            return null;
        }
        return hasher.hash(buffer.flip());
    }

    /** The digest of a whole piece that is here, or null. */
    public synchronized byte @Nullable [] digest(long offsetBytes, int lengthBytes) {
        int piece = piece(offsetBytes, lengthBytes);
        return piece >= 0 && digests.known().contains(piece) ? digests.get(piece) : null;
    }

    /** A whole piece is written, and was right. */
    public void add(long offsetBytes, int lengthBytes, byte[] digest) throws IOException {
        int piece = piece(offsetBytes, lengthBytes);
        if (piece < 0 || digest.length != digestBytes) {
            return;
        }
        synchronized (this) {
            digests.set(piece, digest);
        }
        journal.append(piece, digest);
    }

    /** The number of the piece that the range is, or -1. */
    private int piece(long offsetBytes, int lengthBytes) {
        if (offsetBytes % layout.pieceBytes() != 0 || offsetBytes >= layout.totalBytes()) {
            return -1;
        }
        int piece = (int) (offsetBytes / layout.pieceBytes());
        return layout.lengthBytes(piece) == lengthBytes ? piece : -1;
    }

    /** Which of the pieces that have bytes of this range are known to be right: all, some, or none. */
    public synchronized Share shareOf(long offsetBytes, long lengthBytes) {
        int first = (int) (offsetBytes / layout.pieceBytes());
        int last = (int) ((offsetBytes + lengthBytes - 1) / layout.pieceBytes());
        PieceSet known = digests.known();
        int next = known.nextFrom(first);
        if (next < 0 || next > last) {
            return Share.NONE;
        }
        return known.nextMissingFrom(first) > last ? Share.ALL : Share.SOME;
    }

    /** How much of something. */
    public enum Share {
        NONE,
        SOME,
        ALL
    }

    /** How many bytes are known to be right. */
    public synchronized long totalBytes() {
        long bytes = (long) digests.known().size() * layout.pieceBytes();
        int last = layout.pieceCount() - 1;
        return last >= 0 && digests.known().contains(last)
                ? bytes - layout.pieceBytes() + layout.lengthBytes(last)
                : bytes;
    }

    /** Adds to the journal what is known of parts of files: the copy is complete. */
    void recordParts() throws IOException {
        parts.record(journal);
    }

    /** Makes the journal complete. */
    public void flush() throws IOException {
        journal.flush();
    }

    @Override
    public void close() throws IOException {
        journal.close();
    }
}

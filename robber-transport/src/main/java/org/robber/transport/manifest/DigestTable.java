package org.robber.transport.manifest;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;

/**
 * The digests of the pieces of one multicast, as they become known. One array holds all, so that the digest over all of
 * them needs no copy. Not thread-safe.
 */
public final class DigestTable {

    /** Longest digest, in bytes. */
    public static final int MAX_DIGEST_BYTES = 64;

    private final int digestBytes;
    private final byte[] digests;
    private final PieceSet known;

    /**
     * Creates an empty table.
     *
     * @param pieces number of pieces, 0..{@link PieceLayout#MAX_PIECES}
     * @param digestBytes length of each digest, 1..{@link #MAX_DIGEST_BYTES}
     */
    public DigestTable(int pieces, int digestBytes) {
        checkArgument(digestBytes >= 1 && digestBytes <= MAX_DIGEST_BYTES, "digestBytes: %s", digestBytes);
        this.known = PieceSet.empty(pieces);
        this.digestBytes = digestBytes;
        this.digests = new byte[Math.multiplyExact(pieces, digestBytes)];
    }

    /** The table of all these digests, one after the other from the beginning of the buffer on. */
    public static DigestTable of(ByteBuffer all, int pieces, int digestBytes) {
        DigestTable table = new DigestTable(pieces, digestBytes);
        byte[] digest = new byte[digestBytes];
        for (int piece = 0; piece < pieces; piece++) {
            all.get(piece * digestBytes, digest);
            table.set(piece, digest);
        }
        return table;
    }

    /** Length of a digest in bytes. */
    public int digestBytes() {
        return digestBytes;
    }

    /**
     * Remembers the digest of a piece, in place of an earlier one if there was any.
     *
     * @param digest {@link #digestBytes} long; copied
     */
    public void set(int piece, byte[] digest) {
        checkArgument(digest.length == digestBytes, "a digest of %s bytes, not %s", digest.length, digestBytes);
        known.add(piece);
        System.arraycopy(digest, 0, digests, piece * digestBytes, digestBytes);
    }

    /** The digest of a piece is no longer known. */
    public void forget(int piece) {
        known.remove(piece);
    }

    /** The digest of a known piece. */
    public byte[] get(int piece) {
        checkArgument(known.contains(piece), "no digest of piece %s", piece);
        return Arrays.copyOfRange(digests, piece * digestBytes, (piece + 1) * digestBytes);
    }

    /** The pieces whose digests are known: a view, not to be changed. */
    public PieceSet known() {
        return known;
    }

    /** The digests of all pieces in order, one after the other: the table's own array, not to be changed. */
    public byte[] allBytes() {
        checkState(known.isFull(), "digests are known of %s only", known);
        return digests;
    }
}

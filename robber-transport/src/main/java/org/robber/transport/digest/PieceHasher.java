package org.robber.transport.digest;

import java.nio.ByteBuffer;

/** A digest of pieces, and of all piece digests together. Immutable and safe for several threads. */
public interface PieceHasher {

    /** The name by which users choose it: such as {@code crc32-pair} or {@code sha256}. */
    String name();

    /** Length of a digest in bytes. */
    int digestBytes();

    /** The digest of what remains of the buffer, whose position does not change. */
    byte[] hash(ByteBuffer data);

    /**
     * The digest over all pieces: of the piece digests, one after the other.
     *
     * @param pieceDigests digests of all pieces in order, each {@link #digestBytes} long
     */
    default byte[] hashAll(byte[] pieceDigests) {
        return hash(ByteBuffer.wrap(pieceDigests));
    }
}

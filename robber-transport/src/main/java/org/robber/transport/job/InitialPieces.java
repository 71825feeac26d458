package org.robber.transport.job;

import static com.google.common.base.Preconditions.checkArgument;

import org.robber.Storage;
import org.robber.core.piece.PieceLayout;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.DataPlacement;
import org.robber.transport.digest.PieceHasher;
import org.robber.transport.manifest.DigestTable;

/**
 * The pieces that one node has when a multicast begins.
 *
 * @param pieces its pieces
 * @param digests of those pieces that were verified before; the root learns its own when it reads them
 * @param reusedBytes size of the pieces that need not come any more, at nodes that are not the root
 */
record InitialPieces(PieceSet pieces, DigestTable digests, long reusedBytes) {

    /** The root has everything. */
    static InitialPieces ofRoot(PieceLayout layout, PieceHasher hasher) {
        return new InitialPieces(PieceSet.full(layout.pieceCount()), table(layout, hasher), 0);
    }

    static InitialPieces ofNothing(PieceLayout layout, PieceHasher hasher) {
        return new InitialPieces(PieceSet.empty(layout.pieceCount()), table(layout, hasher), 0);
    }

    /** The pieces that the storage has verified. */
    static InitialPieces of(Storage storage, PieceLayout layout, PieceHasher hasher) {
        DigestTable digests = table(layout, hasher);
        long bytes = 0;
        for (int piece = 0; piece < layout.pieceCount(); piece++) {
            byte[] digest = storage.verifiedDigest(layout.offsetBytes(piece), layout.lengthBytes(piece));
            if (digest != null) {
                checkArgument(
                        digest.length == hasher.digestBytes(),
                        "the storage has a digest of %s bytes for piece %s, and %s has %s: is it of another kind?",
                        digest.length,
                        piece,
                        hasher.name(),
                        hasher.digestBytes());
                digests.set(piece, digest);
                bytes += layout.lengthBytes(piece);
            }
        }
        return new InitialPieces(digests.known().copy(), digests, bytes);
    }

    /** The pieces of the placement, of which no digest is known. What the node does not want counts as here, so that its progress ends with 1. */
    static InitialPieces of(DataPlacement placement, int number, PieceLayout layout, PieceHasher hasher) {
        PieceSet possessed = placement.possessedBy(number);
        PieceSet lacked = placement.wantedBy(number).andNot(possessed);
        long lackedBytes = 0;
        for (int piece = lacked.nextFrom(0); piece >= 0; piece = lacked.nextFrom(piece + 1)) {
            lackedBytes += layout.lengthBytes(piece);
        }
        return new InitialPieces(possessed, table(layout, hasher), layout.totalBytes() - lackedBytes);
    }

    private static DigestTable table(PieceLayout layout, PieceHasher hasher) {
        return new DigestTable(layout.pieceCount(), hasher.digestBytes());
    }
}

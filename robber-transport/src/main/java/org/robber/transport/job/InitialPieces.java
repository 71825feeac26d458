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
 * @param digests of those pieces that were verified before
 * @param source those that it has as a root, which learns their digests when it reads them
 * @param sourceBytes their size
 * @param reusedBytes size of the others that need not come any more
 */
record InitialPieces(PieceSet pieces, DigestTable digests, PieceSet source, long sourceBytes, long reusedBytes) {

    /** The pieces that this node has as a root, and no others. */
    static InitialPieces ofSource(PieceSet source, PieceLayout layout, PieceHasher hasher) {
        return new InitialPieces(source.copy(), table(layout, hasher), source, bytes(source, layout), 0);
    }

    /** The same with those that the storage has verified. */
    static InitialPieces of(PieceSet source, Storage storage, PieceLayout layout, PieceHasher hasher) {
        DigestTable digests = table(layout, hasher);
        long bytes = 0;
        for (int piece = source.nextMissingFrom(0);
                piece < layout.pieceCount();
                piece = source.nextMissingFrom(piece + 1)) {
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
        PieceSet pieces = digests.known().copy();
        pieces.addAll(source);
        return new InitialPieces(pieces, digests, source, bytes(source, layout), bytes);
    }

    /** The pieces of the placement, of which no digest is known. What the node does not want counts as here, so that its progress ends with 1. */
    static InitialPieces of(DataPlacement placement, int number, PieceLayout layout, PieceHasher hasher) {
        PieceSet possessed = placement.possessedBy(number);
        PieceSet lacked = placement.wantedBy(number).andNot(possessed);
        return new InitialPieces(
                possessed,
                table(layout, hasher),
                PieceSet.empty(layout.pieceCount()),
                0,
                layout.totalBytes() - bytes(lacked, layout));
    }

    private static long bytes(PieceSet pieces, PieceLayout layout) {
        long bytes = 0;
        for (int piece = pieces.nextFrom(0); piece >= 0; piece = pieces.nextFrom(piece + 1)) {
            bytes += layout.lengthBytes(piece);
        }
        return bytes;
    }

    private static DigestTable table(PieceLayout layout, PieceHasher hasher) {
        return new DigestTable(layout.pieceCount(), hasher.digestBytes());
    }
}

package org.robber.core.reduce;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import java.util.ArrayList;
import java.util.List;
import org.robber.core.piece.PieceLayout;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.DataPlacement.Range;

/**
 * A scan: each rank combines the prefix of the rank before it with its own contribution. Pieces are numbered by rank, first the
 * contributions, then the prefixes. Where a node's own vector is not part of its result, no node needs the prefix of the last rank.
 */
final class PrefixReduction implements ReductionPlan {
    private static final int NONE = -1;

    private final int nodes;
    private final int chunks;
    private final boolean includesOwn;
    private final DataPlacement placement;

    /** A plan of a scan. */
    PrefixReduction(int nodes, int chunks, boolean includesOwn) {
        checkArgument(nodes >= 1, "nodes: %s", nodes);
        this.nodes = nodes;
        this.chunks = chunks;
        this.includesOwn = includesOwn;
        int prefixes = includesOwn ? nodes : nodes - 1;
        long pieces = (long) (nodes + prefixes) * chunks;
        checkArgument(pieces <= PieceLayout.MAX_PIECES, "%s pieces, of at most %s", pieces, PieceLayout.MAX_PIECES);
        List<Range> holdings = new ArrayList<>();
        List<Range> wants = new ArrayList<>();
        List<Range> produced = new ArrayList<>();
        for (int rank = 0; rank < nodes; rank++) {
            holdings.add(new Range(rank, rank * chunks, (rank + 1) * chunks));
            if (rank > 0) {
                wants.add(new Range(rank, prefixPiece(rank - 1, 0), prefixPiece(rank, 0)));
            }
            if (rank < prefixes) {
                produced.add(new Range(rank, prefixPiece(rank, 0), prefixPiece(rank + 1, 0)));
            }
        }
        this.placement = new DataPlacement((int) pieces, holdings, wants, produced, this::inputsOf);
    }

    private int prefixPiece(int rank, int chunk) {
        return (nodes + rank) * chunks + chunk;
    }

    @Override
    public ImmutableList<Product> productsOf(int rank) {
        if (rank == nodes - 1 && !includesOwn) {
            return ImmutableList.of();
        }
        ImmutableList.Builder<Product> products = ImmutableList.builder();
        for (int chunk = 0; chunk < chunks; chunk++) {
            int prefix = prefixPiece(rank, chunk);
            products.add(new Product(prefix, chunk, inputsOf(prefix)));
        }
        return products.build();
    }

    private ImmutableIntArray inputsOf(int piece) {
        int own = piece - nodes * chunks;
        if (own < 0) {
            return ImmutableIntArray.of();
        }
        return own < chunks ? ImmutableIntArray.of(own) : ImmutableIntArray.of(piece - chunks, own);
    }

    @Override
    public int chunks() {
        return chunks;
    }

    @Override
    public DataPlacement placement() {
        return placement;
    }

    @Override
    public int resultPiece(int rank, int chunk) {
        if (includesOwn) {
            return prefixPiece(rank, chunk);
        }
        return rank == 0 ? NONE : prefixPiece(rank - 1, chunk);
    }
}

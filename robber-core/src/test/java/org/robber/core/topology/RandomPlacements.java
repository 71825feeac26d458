package org.robber.core.topology;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.robber.core.piece.PieceSet;
import org.robber.core.random.SeededRandom;

/** Placements that no call of the product has, for tests. */
public final class RandomPlacements {
    private RandomPlacements() {}

    /** Any placement: some nodes possess everything or parts of it. */
    public static DataPlacement draw(SeededRandom random, int nodes, int pieceCount) {
        List<Integer> ranks = new ArrayList<>(IntStream.range(0, nodes)
                .filter(rank -> random.nextInt(3) == 0)
                .boxed()
                .toList());
        if (ranks.isEmpty()) {
            ranks.add(random.nextInt(nodes));
        }
        return switch (random.nextInt(3)) {
            case 0 -> DataPlacement.striped(ranks, pieceCount);
            case 1 -> DataPlacement.ofRoots(ranks, pieceCount);
            default -> wantingParts(random, nodes, DataPlacement.striped(ranks, pieceCount));
        };
    }

    /** The same owners, of whose data each node wants any part, or nothing. */
    private static DataPlacement wantingParts(SeededRandom random, int nodes, DataPlacement owned) {
        int pieceCount = owned.pieceCount();
        ImmutableList.Builder<DataPlacement.Range> wants = ImmutableList.builder();
        for (int rank = 0; rank < nodes; rank++) {
            for (int ranges = random.nextInt(3); ranges > 0; ranges--) {
                int first = random.nextInt(pieceCount + 1);
                wants.add(new DataPlacement.Range(rank, first, first + random.nextInt(pieceCount - first + 1)));
            }
        }
        ImmutableList.Builder<DataPlacement.Range> holdings = ImmutableList.builder();
        for (int owner : owned.owners()) {
            PieceSet part = owned.possessedBy(owner);
            int first = part.isEmpty() ? 0 : part.first();
            holdings.add(new DataPlacement.Range(owner, first, first + part.size()));
        }
        return new DataPlacement(pieceCount, holdings.build(), wants.build());
    }
}

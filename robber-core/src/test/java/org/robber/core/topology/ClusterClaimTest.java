package org.robber.core.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.robber.core.piece.PieceSet;
import org.robber.core.random.SeededRuns;

class ClusterClaimTest {

    @Test
    void everyPieceIsClaimedByOneClusterWithoutTheRoot() {
        SeededRuns.run(100, random -> {
            int[] sizes = new int[1 + random.nextInt(7)];
            for (int cluster = 0; cluster < sizes.length; cluster++) {
                sizes[cluster] = 1 + random.nextInt(4);
            }
            Topology topology = Topology.ofSizes(sizes);
            int rootRank = random.nextInt(topology.size());
            int pieceCount = random.nextInt(500);
            PieceSet claimed = PieceSet.empty(pieceCount);
            int claims = 0;
            for (int cluster = 0; cluster < sizes.length; cluster++) {
                PieceSet claim = claimOf(topology, cluster, rootRank, pieceCount);
                if (cluster == topology.clusterOf(rootRank)) {
                    assertThat(claim.isEmpty()).isTrue();
                } else {
                    assertThat(claim.size())
                            .isBetween(pieceCount / (sizes.length - 1), 1 + pieceCount / (sizes.length - 1));
                    claims += claim.size();
                    claimed.addAll(claim);
                }
            }
            if (sizes.length > 1) {
                assertThat(claimed.isFull()).isTrue();
                assertThat(claims).isEqualTo(pieceCount);
            }
        });
    }

    /** The same for all of them, or they would choose apart. */
    private static PieceSet claimOf(Topology topology, int cluster, int rootRank, int pieceCount) {
        PieceSet claim = null;
        for (int rank = 0; rank < topology.size(); rank++) {
            if (topology.clusterOf(rank) == cluster) {
                PieceSet seen = ClusterClaim.of(rank, rootRank, topology, pieceCount);
                assertThat(claim == null || seen.equals(claim)).isTrue();
                claim = seen;
            }
        }
        return claim;
    }
}

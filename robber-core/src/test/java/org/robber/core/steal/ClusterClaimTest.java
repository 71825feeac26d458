package org.robber.core.steal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.piece.PieceSet;
import org.robber.core.random.SeededRuns;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.RandomPlacements;
import org.robber.core.topology.Topology;

class ClusterClaimTest {

    @Test
    void everyPieceIsClaimedByOneClusterWithoutTheRootNextByAnotherAndThenByAThird() {
        SeededRuns.run(100, random -> {
            int[] sizes = new int[1 + random.nextInt(7)];
            for (int cluster = 0; cluster < sizes.length; cluster++) {
                sizes[cluster] = 1 + random.nextInt(4);
            }
            Topology topology = Topology.ofSizes(sizes);
            int rootRank = random.nextInt(topology.size());
            int pieceCount = random.nextInt(500);
            PieceSet claimed = PieceSet.empty(pieceCount);
            PieceSet next = PieceSet.empty(pieceCount);
            PieceSet third = PieceSet.empty(pieceCount);
            int claims = 0;
            int nexts = 0;
            int thirds = 0;
            for (int cluster = 0; cluster < sizes.length; cluster++) {
                ClusterClaim claim = claimOf(topology, cluster, DataPlacement.ofRoot(rootRank, pieceCount));
                if (cluster == topology.clusterOf(rootRank)) {
                    assertThat(claim.first().isEmpty()).isTrue();
                    assertThat(claim.next().isEmpty()).isTrue();
                    assertThat(claim.third().isEmpty()).isTrue();
                } else {
                    assertThat(claim.first().size())
                            .isBetween(pieceCount / (sizes.length - 1), 1 + pieceCount / (sizes.length - 1));
                    assertThat(claim.first().and(claim.next()).isEmpty()).isTrue();
                    claims += claim.first().size();
                    claimed.addAll(claim.first());
                    nexts += claim.next().size();
                    next.addAll(claim.next());
                    assertThat(claim.third().and(claim.first()).isEmpty()).isTrue();
                    assertThat(claim.third().and(claim.next()).isEmpty()).isTrue();
                    thirds += claim.third().size();
                    third.addAll(claim.third());
                }
            }
            if (sizes.length > 1) {
                assertThat(claimed.isFull()).isTrue();
                assertThat(claims).isEqualTo(pieceCount);
            }
            if (sizes.length > 2) {
                assertThat(next.isFull()).isTrue();
                assertThat(nexts).isEqualTo(pieceCount);
            } else {
                assertThat(nexts).as("nobody else claims anything").isZero();
            }
            if (sizes.length > 3) {
                assertThat(third.isFull()).isTrue();
                assertThat(thirds).isEqualTo(pieceCount);
            } else {
                assertThat(thirds).as("there is no third").isZero();
            }
        });
    }

    @Test
    void eachPieceIsClaimedOnceByAClusterThatLacksIt() {
        SeededRuns.run(200, random -> {
            Topology topology = Topology.ofSizes(1, 2, 1 + random.nextInt(5), 3);
            DataPlacement placement = RandomPlacements.draw(random, topology.size(), random.nextInt(300));
            PieceSet lacked = PieceSet.empty(placement.pieceCount());
            PieceSet claimed = PieceSet.empty(placement.pieceCount());
            int claims = 0;
            for (int cluster = 0; cluster < topology.clusterCount(); cluster++) {
                PieceSet work = placement.lackedBy(cluster, topology);
                ClusterClaim claim = claimOf(topology, cluster, placement);
                for (PieceSet pieces : List.of(claim.first(), claim.next(), claim.third())) {
                    assertThat(pieces.andNot(work).isEmpty()).isTrue();
                }
                lacked.addAll(work);
                claims += claim.first().size();
                claimed.addAll(claim.first());
            }
            assertThat(claimed).isEqualTo(lacked);
            assertThat(claims).isEqualTo(lacked.size());
        });
    }

    @Test
    void twoClustersGoOnToDifferentPartsOfAThirdClaim() {
        Topology topology = Topology.ofSizes(1, 1, 1, 1);
        ClusterClaim second = ClusterClaim.of(2, DataPlacement.ofRoot(0, 12), topology);
        ClusterClaim third = ClusterClaim.of(3, DataPlacement.ofRoot(0, 12), topology);

        assertThat(ClusterClaim.of(1, DataPlacement.ofRoot(0, 12), topology).first())
                .hasToString("0,3,6,9 of 12");
        assertThat(second.next()).hasToString("0,5-6,11 of 12");
        assertThat(third.next()).hasToString("1,3,7,9 of 12");
    }

    /** The same for all of them, or they would choose apart. */
    private static ClusterClaim claimOf(Topology topology, int cluster, DataPlacement placement) {
        ClusterClaim claim = null;
        for (int rank = 0; rank < topology.size(); rank++) {
            if (topology.clusterOf(rank) == cluster) {
                ClusterClaim seen = ClusterClaim.of(rank, placement, topology);
                assertThat(claim == null || seen.equals(claim)).isTrue();
                claim = seen;
            }
        }
        return claim;
    }
}

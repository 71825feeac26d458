package org.robber.core.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.piece.PieceSet;
import org.robber.core.random.SeededRuns;

/** A placement, and what clusters make of it: their work, and their claims. */
class DataPlacementTest {
    @Test
    void relaysConcernPiecesThatOneNodeWants() {
        Topology topology = Topology.ofSizes(2, 1, 1);
        DataPlacement placement = new DataPlacement(
                9,
                List.of(new DataPlacement.Range(0, 0, 6), new DataPlacement.Range(3, 6, 9)),
                List.of(new DataPlacement.Range(1, 2, 8), new DataPlacement.Range(2, 4, 5)),
                List.of(new DataPlacement.Range(2, 8, 9)),
                piece -> ImmutableIntArray.of());
        assertThat(placement.isRelayed()).isFalse();
        assertThat(placement.withRelays(Integer.MAX_VALUE).isRelayed()).isTrue();
        assertThat(placement.withRelays(Integer.MAX_VALUE).wantedBy(1)).isEqualTo(placement.wantedBy(1));
        assertThat(DataPlacement.ofRoot(0, 3).withRelays(Integer.MAX_VALUE).isRelayed())
                .isFalse();
        PieceSet expected = PieceSet.range(9, 2, 8);
        expected.remove(4);
        assertThat(placement.wantedOnlyBy(1)).isEqualTo(expected);
        assertThat(placement.ownedBy(0, topology)).isEqualTo(PieceSet.range(9, 0, 6));
        assertThat(placement.ownedBy(1, topology)).isEqualTo(PieceSet.range(9, 8, 9));
    }

    @Test
    void theBusiestClusterSaysHowMuchCrossesABorder() {
        Topology topology = Topology.ofSizes(2, 1, 1);
        List<Integer> ranks = List.of(0, 1, 2, 3);
        assertThat(DataPlacement.ofRoot(0, 32).mostPiecesOfCluster(topology)).isEqualTo(32);
        assertThat(DataPlacement.scatter(0, ranks, 32).mostPiecesOfCluster(topology))
                .isEqualTo(16);
        assertThat(DataPlacement.gather(0, ranks, 32).mostPiecesOfCluster(topology))
                .isEqualTo(16);
        // Two nodes exchange two pieces with each of two others.
        assertThat(DataPlacement.allToAll(ranks, 32).mostPiecesOfCluster(topology))
                .isEqualTo(8);
        assertThat(DataPlacement.ofRoot(0, 32).mostPiecesOfCluster(Topology.ofSizes(4)))
                .isEqualTo(0);
    }

    @Test
    void aCollectivePossessesEverythingTogether() {
        Topology topology = Topology.ofSizes(3, 2);
        DataPlacement placement = DataPlacement.striped(List.of(0, 2, 3), 10);

        assertThat(placement.possessedBy(0)).isEqualTo(PieceSet.range(10, 0, 3));
        assertThat(placement.possessedBy(1)).isEqualTo(PieceSet.empty(10));
        assertThat(placement.possessedBy(2)).isEqualTo(PieceSet.range(10, 3, 6));
        assertThat(placement.possessedBy(3)).isEqualTo(PieceSet.range(10, 6, 10));
        assertThat(placement.lackedBy(0, topology)).isEqualTo(PieceSet.range(10, 6, 10));
        assertThat(placement.lackedBy(1, topology)).isEqualTo(PieceSet.range(10, 0, 6));
    }

    @Test
    void inAllToAllEachNodeWantsAPartOfEachRow() {
        DataPlacement placement = DataPlacement.allToAll(List.of(0, 1, 2), 27);

        assertThat(placement.possessedBy(1)).isEqualTo(PieceSet.range(27, 9, 18));
        PieceSet column = PieceSet.range(27, 3, 6);
        column.addRange(12, 15);
        column.addRange(21, 24);
        assertThat(placement.wantedBy(1)).isEqualTo(column);
        assertThat(placement.lackedBy(0, Topology.ofSizes(3))).isEqualTo(PieceSet.empty(27));
    }

    @Test
    void scatterAndGatherAreOppositeCalls() {
        DataPlacement scatter = DataPlacement.scatter(2, List.of(0, 1, 2), 10);
        DataPlacement gather = DataPlacement.gather(2, List.of(0, 1, 2), 10);

        for (int rank = 0; rank < 3; rank++) {
            assertThat(scatter.wantedBy(rank)).isEqualTo(gather.possessedBy(rank));
            assertThat(scatter.possessedBy(rank)).isEqualTo(gather.wantedBy(rank));
        }
        assertThat(scatter.lackedBy(0, Topology.ofSizes(2, 1))).isEqualTo(PieceSet.range(10, 0, 6));
    }

    @Test
    void productsAreWantedByTheirProducerAndNoWorkOfItsCluster() {
        DataPlacement placement = new DataPlacement(
                10,
                List.of(new DataPlacement.Range(0, 0, 4)),
                List.of(new DataPlacement.Range(1, 0, 2), new DataPlacement.Range(2, 4, 10)),
                List.of(new DataPlacement.Range(1, 4, 10)),
                piece -> ImmutableIntArray.of(piece - 4));

        assertThat(placement.possessedBy(1)).isEqualTo(PieceSet.empty(10));
        assertThat(placement.producedBy(1)).isEqualTo(PieceSet.range(10, 4, 10));
        PieceSet wanted = PieceSet.range(10, 0, 2);
        wanted.addRange(4, 10);
        assertThat(placement.wantedBy(1)).isEqualTo(wanted);
        assertThat(placement.lackedBy(1, Topology.ofSizes(1, 2))).isEqualTo(PieceSet.range(10, 0, 2));
        assertThat(placement.owners()).containsExactly(0, 1);
        assertThat(placement.hasSingleRoot()).isFalse();
    }

    @Test
    void onlyAMulticastHasARoot() {
        assertThat(DataPlacement.ofRoot(4, 10).root()).isEqualTo(4);
        assertThatThrownBy(() -> DataPlacement.ofRoots(List.of(0, 1), 10).root())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("this is not a multicast from a single root: 2 owners");
    }

    @Test
    void everyPieceHasAnOwner() {
        assertThatThrownBy(() -> new DataPlacement(
                        10,
                        ImmutableList.of(new DataPlacement.Range(0, 0, 4), new DataPlacement.Range(1, 5, 10)),
                        null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no node possesses some of the 10 pieces");
        assertThatThrownBy(() -> new DataPlacement(10, ImmutableList.of(new DataPlacement.Range(0, 0, 11)), null))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void theSharesOfAClusterTogetherAreItsWork() {
        SeededRuns.run(200, random -> {
            Topology topology = Topology.ofSizes(1 + random.nextInt(4), 1 + random.nextInt(80), 1 + random.nextInt(4));
            DataPlacement placement = RandomPlacements.draw(random, topology.size(), random.nextInt(3_000));
            for (WorkDivision division : WorkDivision.values()) {
                List<PieceSet> owned = new ArrayList<>();
                for (int cluster = 0; cluster < topology.clusterCount(); cluster++) {
                    owned.add(PieceSet.empty(placement.pieceCount()));
                }
                for (int rank = 0; rank < topology.size(); rank++) {
                    PieceSet share = division.shareOf(rank, placement, topology);
                    assertThat(owned.get(topology.clusterOf(rank)).and(share).isEmpty())
                            .isTrue();
                    owned.get(topology.clusterOf(rank)).addAll(share);
                }
                for (int cluster = 0; cluster < topology.clusterCount(); cluster++) {
                    assertThat(owned.get(cluster)).isEqualTo(placement.lackedBy(cluster, topology));
                }
            }
        });
    }
}

package org.robber.core.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.robber.core.piece.PieceSet;
import org.robber.core.random.SeededRuns;

class GatewaysTest {

    @Test
    void allMembersAreGatewaysWhereThePiecesAreMany() {
        assertThat(Gateways.count(16, 4, 18_310)).isEqualTo(16);
        assertThat(Gateways.count(4, 4, 3_052)).isEqualTo(4);
    }

    @Test
    void fewMembersAreGatewaysWhereThePiecesAreFew() {
        assertThat(Gateways.count(64, 4, 3_052)).isEqualTo(7);
        assertThat(Gateways.count(256, 4, 3_052)).isEqualTo(7);
        assertThat(Gateways.count(100, 100, 239)).isEqualTo(2);
    }

    @Test
    void moreThanHalfOfTheMembersAreAllOfThem() {
        assertThat(Gateways.count(14, 4, 3_052)).isEqualTo(7);
        assertThat(Gateways.count(13, 4, 3_052)).isEqualTo(13);
        assertThat(Gateways.count(3, 4, 0)).isEqualTo(3);
        assertThat(Gateways.count(1, 1, 100)).isEqualTo(1);
    }

    @Test
    void gatewaysAreSpreadEvenly() {
        Topology topology = Topology.ofSizes(2, 16, 16, 2);
        assertThat(gatewaysOf(topology, 2, 18, 800)).containsExactly(2, 10);
        assertThat(gatewaysOf(topology, 18, 34, 2_000)).containsExactly(18, 21, 24, 27, 30);
    }

    @Test
    void thereAreAsManyGatewaysAsCounted() {
        SeededRuns.run(200, random -> {
            int members = 1 + random.nextInt(300);
            int pieceCount = random.nextInt(100_000);
            Topology topology = Topology.ofSizes(1 + random.nextInt(5), members, 1 + random.nextInt(5));
            int first = topology.clusterSize(0);
            assertThat(gatewaysOf(topology, first, first + members, pieceCount))
                    .hasSize(Gateways.count(members, 3, pieceCount));
        });
    }

    @Test
    void theirSharesTogetherAreAllPieces() {
        SeededRuns.run(100, random -> {
            int pieceCount = random.nextInt(5_000);
            Topology topology = Topology.ofSizes(1, 1 + random.nextInt(200), 1 + random.nextInt(50));
            PieceSet owned = PieceSet.empty(pieceCount);
            int pieces = 0;
            for (int index = 0; index < topology.clusterSize(1); index++) {
                PieceSet share =
                        WorkDivision.GATEWAYS.shareOf(1 + index, DataPlacement.ofRoot(0, pieceCount), topology);
                owned.addAll(share);
                pieces += share.size();
            }
            assertThat(owned.isFull()).isTrue();
            assertThat(pieces).isEqualTo(pieceCount);
        });
    }

    @Test
    void asPublishedAllMembersHaveAShare() {
        Topology topology = Topology.ofSizes(1, 64, 64, 64);
        assertThat(WorkDivision.ALL_MEMBERS.shareOf(2, DataPlacement.ofRoot(0, 128), topology))
                .isEqualTo(PieceSet.range(128, 2, 4));
        assertThat(WorkDivision.GATEWAYS.shareOf(2, DataPlacement.ofRoot(0, 128), topology))
                .isEqualTo(PieceSet.empty(128));
    }

    @Test
    void theClusterOfTheRootHasNoWork() {
        Topology topology = Topology.ofSizes(40, 40);
        for (WorkDivision division : WorkDivision.values()) {
            assertThat(division.shareOf(0, DataPlacement.ofRoot(7, 1_000), topology))
                    .isEqualTo(PieceSet.empty(1_000));
        }
    }

    private static List<Integer> gatewaysOf(Topology topology, int from, int to, int pieceCount) {
        return IntStream.range(from, to)
                .filter(rank -> Gateways.isGateway(rank, topology, pieceCount))
                .boxed()
                .toList();
    }
}

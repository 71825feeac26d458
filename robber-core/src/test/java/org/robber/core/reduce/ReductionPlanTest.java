package org.robber.core.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.ImmutableIntArray;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.robber.core.piece.PieceSet;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.Topology;

/** Plans are carried out with texts in place of vectors: each contribution is the number of its rank, and combining writes them side by side. */
class ReductionPlanTest {

    private static Topology draw(SeededRandom random) {
        return Topology.of(IntStream.range(0, 1 + random.nextInt(12))
                .mapToObj(rank -> Topology.letters(random.nextInt(4)))
                .toList());
    }

    /** Makes all products of all nodes in any order; returns the text of each piece. */
    private static Map<Integer, String> combine(ReductionPlan plan, Topology topology, SeededRandom random) {
        DataPlacement placement = plan.placement();
        Map<Integer, String> texts = new TreeMap<>();
        for (int rank = 0; rank < topology.size(); rank++) {
            for (int chunk = 0; chunk < plan.chunks(); chunk++) {
                texts.put(plan.contributionPiece(rank, chunk), rank + " ");
            }
            assertThat(placement.possessedBy(rank).size()).isEqualTo(plan.chunks());
        }
        boolean made = true;
        while (made) {
            made = false;
            for (int rank : random.permutation(topology.size())) {
                PieceSet here = placement.possessedBy(rank);
                texts.keySet().forEach(piece -> {
                    if (placement.wantedBy(rank).contains(piece)) {
                        here.add(piece);
                    }
                });
                Queue<Product> ready = new ArrayDeque<>(new ReadyProducts(plan.productsOf(rank), here).atStart());
                made |= !ready.isEmpty();
                while (!ready.isEmpty()) {
                    Product product = ready.remove();
                    StringBuilder text = new StringBuilder();
                    for (int input : product.inputs().asList()) {
                        assertThat(plan.chunkOf(input)).isEqualTo(product.chunk());
                        text.append(texts.get(input));
                    }
                    assertThat(plan.chunkOf(product.piece())).isEqualTo(product.chunk());
                    assertThat(placement.producedBy(rank).contains(product.piece()))
                            .isTrue();
                    assertThat(placement.inputsOf(product.piece())).isEqualTo(product.inputs());
                    assertThat(product.inputs().stream().max().orElseThrow()).isLessThan(product.piece());
                    assertThat(texts.put(product.piece(), text.toString()))
                            .as("produced once")
                            .isNull();
                }
            }
        }
        assertThat(texts).hasSize(placement.pieceCount());
        return texts;
    }

    private static String ranks(int end) {
        StringBuilder text = new StringBuilder();
        IntStream.range(0, end).forEach(rank -> text.append(rank).append(' '));
        return text.toString();
    }

    /** The ranks in the order in which the clusters appear: the order of a commutative operation. */
    private static String byCluster(Topology topology) {
        StringBuilder text = new StringBuilder();
        for (int cluster = 0; cluster < topology.clusterCount(); cluster++) {
            for (int index = 0; index < topology.clusterSize(cluster); index++) {
                text.append(topology.member(cluster, index)).append(' ');
            }
        }
        return text.toString();
    }

    private static ImmutableIntArray blocks(SeededRandom random, int nodes) {
        return ImmutableIntArray.copyOf(IntStream.range(0, nodes).map(rank -> random.nextInt(4)));
    }

    @Test
    void eachResultCombinesAllRanksInTheirOrder() {
        SeededRuns.run(300, random -> {
            Topology topology = draw(random);
            boolean commutative = random.nextBoolean();
            String all = commutative ? byCluster(topology) : ranks(topology.size());
            int chunks = random.nextInt(30);
            int root = random.nextInt(topology.size());
            ImmutableIntArray blocks = blocks(random, topology.size());
            for (ReductionPlan plan : List.of(
                    ReductionPlanner.byClusters(topology).reduce(root, chunks, commutative),
                    ReductionPlanner.byClusters(topology).allReduce(chunks, commutative),
                    ReductionPlanner.byClusters(topology).reduceScatter(blocks, commutative))) {
                Map<Integer, String> texts = combine(plan, topology, random);
                for (int rank = 0; rank < topology.size(); rank++) {
                    PieceSet wanted = plan.placement().wantedBy(rank);
                    for (int chunk = 0; chunk < plan.chunks(); chunk++) {
                        int piece = plan.resultPiece(rank, chunk);
                        if (piece >= 0) {
                            assertThat(texts).containsEntry(piece, all);
                            assertThat(wanted.contains(piece)).isTrue();
                        }
                    }
                }
            }
        });
    }

    @Test
    void alongATreeEachResultCombinesAllRanksInTheirOrder() {
        SeededRuns.run(300, random -> {
            Topology topology = draw(random);
            int nodes = topology.size();
            boolean commutative = random.nextBoolean();
            int chunks = random.nextInt(30);
            ReductionPlanner planner = ReductionPlanner.alongTree(tree(nodes, random));
            for (ReductionPlan plan : List.of(
                    planner.reduce(random.nextInt(nodes), chunks, commutative),
                    planner.allReduce(chunks, commutative),
                    planner.reduceScatter(blocks(random, nodes), commutative))) {
                Map<Integer, String> texts = combine(plan, topology, random);
                for (int rank = 0; rank < nodes; rank++) {
                    for (int chunk = 0; chunk < plan.chunks(); chunk++) {
                        int piece = plan.resultPiece(rank, chunk);
                        if (piece >= 0 && commutative) {
                            assertThat(texts.get(piece).split(" "))
                                    .containsExactlyInAnyOrder(ranks(nodes).split(" "));
                        } else if (piece >= 0) {
                            assertThat(texts).containsEntry(piece, ranks(nodes));
                        }
                    }
                }
            }
        });
    }

    private static int[] tree(int nodes, SeededRandom random) {
        int[] order = random.permutation(nodes);
        int[] parents = new int[nodes];
        for (int place = 0; place < nodes; place++) {
            parents[order[place]] = place == 0 ? -1 : order[random.nextInt(place)];
        }
        return parents;
    }

    /** In the binomial tree, all subtrees have consecutive ranks: each inner node combines, and sends one vector. */
    @Test
    void aVectorCrossesEachEdgeOfATreeOnce() {
        ReductionPlan plan =
                ReductionPlanner.alongTree(new int[] {-1, 0, 0, 2, 0, 4, 4, 6}).allReduce(10, false);
        assertThat(plan.placement().pieceCount()).isEqualTo((8 + 4) * 10);
        assertThat(plan.productsOf(4)).hasSize(10);
        assertThat(plan.productsOf(0).get(3).inputs().length()).isEqualTo(4);
        assertThat(plan.productsOf(5)).isEmpty();
    }

    @Test
    void aScanCombinesTheRanksUpToEachOne() {
        SeededRuns.run(50, random -> {
            Topology topology = draw(random);
            ReductionPlan scan = ReductionPlanner.byClusters(topology).scan(3);
            ReductionPlan exScan = ReductionPlanner.byClusters(topology).exScan(3);
            Map<Integer, String> texts = combine(scan, topology, random);
            Map<Integer, String> exTexts = combine(exScan, topology, random);
            assertThat(exScan.resultPiece(0, 2)).isNegative();
            for (int rank = 0; rank < topology.size(); rank++) {
                assertThat(texts).containsEntry(scan.resultPiece(rank, 1), ranks(rank + 1));
                if (rank > 0) {
                    assertThat(exTexts).containsEntry(exScan.resultPiece(rank, 1), ranks(rank));
                }
            }
        });
    }

    @Test
    void nodesGetTheResultsThatTheCallPromises() {
        Topology topology = Topology.ofSizes(2, 3);
        ReductionPlan reduce = ReductionPlanner.byClusters(topology).reduce(3, 7, true);
        ReductionPlan scatter =
                ReductionPlanner.byClusters(topology).reduceScatter(ImmutableIntArray.of(1, 0, 2, 3, 1), true);
        for (int chunk = 0; chunk < 7; chunk++) {
            assertThat(reduce.resultPiece(2, chunk)).isNegative();
            assertThat(reduce.resultPiece(3, chunk)).isNotNegative();
        }
        List<Integer> ofRank3 = IntStream.range(0, 7)
                .filter(chunk -> scatter.resultPiece(3, chunk) >= 0)
                .boxed()
                .toList();
        assertThat(ofRank3).containsExactly(3, 4, 5);
    }

    /** How many copies of a vector enter each cluster. */
    private static double[] copies(ReductionPlan plan, Topology topology) {
        DataPlacement placement = plan.placement();
        double[] copies = new double[topology.clusterCount()];
        for (int cluster = 0; cluster < copies.length; cluster++) {
            copies[cluster] = placement.lackedBy(cluster, topology).size() / (double) plan.chunks();
        }
        return copies;
    }

    @Test
    void allReduceBringsLessThanTwoCopiesIntoACluster() {
        SeededRuns.run(100, random -> {
            Topology topology = draw(random);
            int clusters = topology.clusterCount();
            double most = 2.0 * (clusters - 1) / clusters + 0.02;
            for (double copies : copies(ReductionPlanner.byClusters(topology).allReduce(1000, true), topology)) {
                assertThat(copies).isLessThanOrEqualTo(most);
            }
        });
    }

    @Test
    void reduceBringsOneCopyIntoTheRootsCluster() {
        Topology topology = Topology.ofSizes(4, 4, 4, 4);
        assertThat(copies(ReductionPlanner.byClusters(topology).reduce(5, 300, true), topology))
                .containsExactly(new double[] {1, 1, 1, 1});
        assertThat(copies(
                        ReductionPlanner.byClusters(Topology.ofSizes(3, 2)).reduce(4, 300, true),
                        Topology.ofSizes(3, 2)))
                .containsExactly(new double[] {0, 1});
    }

    @Test
    void theMembersOfAClusterDivideTheWork() {
        Topology topology = Topology.ofSizes(4, 4, 4, 4);
        ReductionPlan plan = ReductionPlanner.byClusters(topology).allReduce(320, true);
        int[] counts = IntStream.range(0, topology.size())
                .map(rank -> plan.productsOf(rank).size())
                .toArray();
        // Partial results of 80 chunks each, and 20 results.
        assertThat(Arrays.stream(counts).distinct()).containsExactly(100);
    }

    @Test
    void aThousandNodesArePlannedInAMoment() {
        Topology topology =
                Topology.ofSizes(IntStream.range(0, 16).map(cluster -> 64).toArray());
        ReductionPlan plan = ReductionPlanner.byClusters(topology).allReduce(1024, true);
        assertThat(plan.placement().pieceCount()).isEqualTo((1024 + 16 + 1) * 1024);
        assertThat(plan.productsOf(700)).hasSize(17);
    }
}

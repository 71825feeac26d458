package org.robber.core.reduce;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkElementIndex;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.robber.core.piece.PieceLayout;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.DataPlacement.Range;
import org.robber.core.topology.Topology;

/**
 * A reduction in two levels. Members of a cluster combine what its {@link Runs} contribute to a chunk into partial results. One node, the
 * final producer of the chunk, combines the partial results of all runs. A run of one node needs no partial result, nor does a
 * single run.
 *
 * <p>Pieces are numbered thus: the contributions, by rank; the partial results, by chunk; the results. The final producer of a chunk also makes the partial
 * results of its own cluster. In the other clusters, the members divide the chunks of each cluster that combines.
 */
final class ClusterReduction implements ReductionPlan {
    private static final int NONE = -1;

    private final Topology topology;
    private final Runs runs;

    /** The final producer of each chunk. */
    private final int[] producers;

    /** The place of each chunk among those whose final producers are in the same cluster, and how many these are. */
    private final int[] places;

    private final int[] chunksOfClusters;

    /** The place of each run among those that have partial results, or {@link #NONE}. */
    private final int[] partialOfRun;

    /** The runs that have partial results. */
    private final int[] runsWithPartials;

    private final int partials;
    private final ResultParts results;
    private final DataPlacement placement;

    /**
     * A plan.
     *
     * @param producers the final producer of each chunk
     * @param results what each rank wants of the result
     */
    ClusterReduction(Topology topology, int[] producers, boolean commutative, ResultParts results) {
        this.topology = topology;
        this.runs = new Runs(topology, commutative);
        this.producers = producers;
        this.results = results;
        this.places = new int[producers.length];
        this.chunksOfClusters = new int[topology.clusterCount()];
        for (int chunk = 0; chunk < producers.length; chunk++) {
            places[chunk] = chunksOfClusters[topology.clusterOf(producers[chunk])]++;
        }
        this.partialOfRun = new int[runs.count()];
        int count = 0;
        for (int run = 0; run < runs.count(); run++) {
            partialOfRun[run] = runs.count() == 1 || runs.ranks(run).length == 1 ? NONE : count++;
        }
        this.partials = count;
        this.runsWithPartials = IntStream.range(0, runs.count())
                .filter(run -> partialOfRun[run] != NONE)
                .toArray();
        long pieces = (topology.size() + partials + 1L) * producers.length;
        checkArgument(pieces <= PieceLayout.MAX_PIECES, "%s pieces, of at most %s", pieces, PieceLayout.MAX_PIECES);
        this.placement = place();
    }

    private DataPlacement place() {
        List<Range> holdings = new ArrayList<>();
        List<Range> wants = new ArrayList<>();
        List<Range> produced = new ArrayList<>();
        for (int rank = 0; rank < topology.size(); rank++) {
            holdings.add(new Range(rank, rank * chunks(), (rank + 1) * chunks()));
            if (results.first(rank) < results.end(rank)) {
                wants.add(new Range(rank, results() + results.first(rank), results() + results.end(rank)));
            }
        }
        for (int run = 0; run < runs.count(); run++) {
            int number = run;
            boolean isPartial = partialOfRun[run] != NONE;
            forEachSegment(chunk -> isPartial ? partialProducer(number, chunk) : producers[chunk], segment -> {
                wantContributions(number, segment, wants);
                for (int chunk = segment.firstPiece(); isPartial && chunk < segment.endPiece(); chunk++) {
                    int piece = partialPiece(number, chunk);
                    produced.add(new Range(segment.rank(), piece, piece + 1));
                }
            });
        }
        forEachSegment(chunk -> producers[chunk], segment -> {
            int first = segment.firstPiece();
            int end = segment.endPiece();
            wants.add(
                    new Range(segment.rank(), partialResults() + first * partials, partialResults() + end * partials));
            produced.add(new Range(segment.rank(), results() + first, results() + end));
        });
        return new DataPlacement(results() + chunks(), holdings, wants, produced, this::inputsOf);
    }

    /** Passes on each longest row of chunks that one node produces. */
    private void forEachSegment(IntUnaryOperator producer, Consumer<Range> consumer) {
        int first = 0;
        for (int chunk = 1; chunk <= chunks(); chunk++) {
            if (chunk == chunks() || producer.applyAsInt(chunk) != producer.applyAsInt(first)) {
                consumer.accept(new Range(producer.applyAsInt(first), first, chunk));
                first = chunk;
            }
        }
    }

    private void wantContributions(int run, Range segment, List<Range> wants) {
        for (int rank : runs.ranks(run)) {
            if (rank != segment.rank()) {
                int first = contributionPiece(rank, segment.firstPiece());
                wants.add(new Range(segment.rank(), first, first + segment.endPiece() - segment.firstPiece()));
            }
        }
    }

    private int partialProducer(int run, int chunk) {
        int producer = producers[chunk];
        int home = topology.clusterOf(producer);
        int cluster = topology.clusterOf(runs.ranks(run)[0]);
        return cluster == home
                ? producer
                : ChunkDivision.memberFor(places[chunk], chunksOfClusters[home], cluster, topology);
    }

    private int partialPiece(int run, int chunk) {
        return partialResults() + chunk * partials + partialOfRun[run];
    }

    /** The first piece that is a partial result. */
    private int partialResults() {
        return topology.size() * chunks();
    }

    /** The first piece of the result. */
    private int results() {
        return (topology.size() + partials) * chunks();
    }

    @Override
    public ImmutableList<Product> productsOf(int rank) {
        ImmutableList.Builder<Product> products = ImmutableList.builder();
        for (int chunk = 0; chunk < chunks(); chunk++) {
            for (int run = 0; run < runs.count(); run++) {
                if (partialOfRun[run] != NONE && partialProducer(run, chunk) == rank) {
                    products.add(new Product(partialPiece(run, chunk), chunk, contributions(run, chunk)));
                }
            }
            if (producers[chunk] == rank) {
                products.add(new Product(results() + chunk, chunk, inputsOfResult(chunk)));
            }
        }
        return products.build();
    }

    private ImmutableIntArray inputsOf(int piece) {
        if (piece < partialResults()) {
            return ImmutableIntArray.of();
        }
        return piece < results()
                ? contributions(runsWithPartials[(piece - partialResults()) % partials], chunkOf(piece))
                : inputsOfResult(chunkOf(piece));
    }

    private ImmutableIntArray contributions(int run, int chunk) {
        return ImmutableIntArray.copyOf(Arrays.stream(runs.ranks(run)).map(rank -> contributionPiece(rank, chunk)));
    }

    private ImmutableIntArray inputsOfResult(int chunk) {
        ImmutableIntArray.Builder inputs = ImmutableIntArray.builder();
        for (int run = 0; run < runs.count(); run++) {
            if (partialOfRun[run] == NONE) {
                inputs.addAll(contributions(run, chunk));
            } else {
                inputs.add(partialPiece(run, chunk));
            }
        }
        return inputs.build();
    }

    @Override
    public int chunks() {
        return producers.length;
    }

    @Override
    public DataPlacement placement() {
        return placement;
    }

    @Override
    public int resultPiece(int rank, int chunk) {
        return results.contains(rank, chunk) ? results() + chunk : NONE;
    }

    @Override
    public int chunkOf(int piece) {
        checkElementIndex(piece, placement.pieceCount(), "piece");
        return piece < partialResults() || piece >= results()
                ? piece % chunks()
                : (piece - partialResults()) / partials;
    }
}

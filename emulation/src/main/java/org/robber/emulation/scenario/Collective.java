package org.robber.emulation.scenario;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import com.google.common.primitives.ImmutableIntArray;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.robber.core.reduce.ReductionPlan;
import org.robber.core.reduce.ReductionPlanner;
import org.robber.core.topology.DataPlacement;

/** The collective call of an experiment: who possesses which part of the data at the start, who wants which part, and what is combined. */
public enum Collective {
    /** The root possesses everything. */
    MULTICAST,

    /** The root and the first node of the next cluster possess everything. */
    MULTI_ROOT,

    /** The nodes of the root's cluster possess equal parts. */
    STRIPING,

    /** All nodes possess equal parts. */
    ALLGATHER,

    /** The root possesses everything, and each node wants an equal part. */
    SCATTER,

    /** All nodes possess equal parts, and the root wants everything. */
    GATHER,

    /** All nodes possess equal parts, and each node wants an equal part of each of them. */
    ALLTOALL,

    /** The root gets the combined vectors of all nodes. */
    REDUCE,

    /** All nodes get the combined vectors of all nodes. */
    ALLREDUCE,

    /** Each node gets an equal part of the combined vectors of all nodes. */
    REDUCESCATTER,

    /** Each node gets the combined vectors of all nodes up to its own rank. */
    SCAN,

    /** Each node but the first gets the combined vectors of all nodes of lower ranks. */
    EXSCAN;

    private static final ImmutableSet<Collective> WANTED_BY_ALL =
            Sets.immutableEnumSet(MULTICAST, MULTI_ROOT, STRIPING, ALLGATHER);
    private static final ImmutableSet<Collective> REDUCTIONS =
            Sets.immutableEnumSet(REDUCE, ALLREDUCE, REDUCESCATTER, SCAN, EXSCAN);

    /** The owners at the start, by rank but for the root, which is the first. */
    public ImmutableList<Integer> owners(Scenario scenario) {
        int root = scenario.rankOf(scenario.root());
        int rootCluster = scenario.root().cluster();
        return switch (this) {
            case MULTICAST, SCATTER -> ImmutableList.of(root);
            case MULTI_ROOT -> {
                int next = (rootCluster + 1) % scenario.clusters().size();
                int second = scenario.rankOf(new NodePlace(next, 0));
                yield second == root ? ImmutableList.of(root) : ImmutableList.of(root, second);
            }
            case STRIPING ->
                IntStream.range(0, scenario.nodeCount())
                        .filter(rank -> scenario.placeOf(rank).cluster() == rootCluster)
                        .boxed()
                        .collect(ImmutableList.toImmutableList());
            case ALLGATHER, GATHER, ALLTOALL, REDUCE, ALLREDUCE, REDUCESCATTER, SCAN, EXSCAN -> allRanks(scenario);
        };
    }

    private static ImmutableList<Integer> allRanks(Scenario scenario) {
        return IntStream.range(0, scenario.nodeCount()).boxed().collect(ImmutableList.toImmutableList());
    }

    /**
     * The pieces that each node possesses at the start, those that it wants, and those that it produces.
     *
     * @param planner of a strategy for this topology; used by reductions
     * @param pieceCount pieces of the data; of a reduction, pieces of each vector
     */
    public DataPlacement placement(Scenario scenario, ReductionPlanner planner, int pieceCount) {
        int root = scenario.rankOf(scenario.root());
        return switch (this) {
            case MULTICAST, MULTI_ROOT -> DataPlacement.ofRoots(owners(scenario), pieceCount);
            case STRIPING, ALLGATHER -> DataPlacement.striped(owners(scenario), pieceCount);
            case SCATTER ->
                DataPlacement.scatter(root, allRanks(scenario), pieceCount).withRelays(Integer.MAX_VALUE);
            case GATHER ->
                DataPlacement.gather(root, allRanks(scenario), pieceCount).withRelays(Integer.MAX_VALUE);
            case ALLTOALL ->
                DataPlacement.allToAll(allRanks(scenario), pieceCount).withRelays(Integer.MAX_VALUE);
            case REDUCE, REDUCESCATTER, SCAN, EXSCAN, ALLREDUCE ->
                plan(scenario, planner, pieceCount).placement().withRelays(Integer.MAX_VALUE);
        };
    }

    /**
     * Which node combines what. Operands may change places; ranks count through the clusters, so they keep the order of ranks.
     *
     * @param planner of a strategy for this topology
     * @param chunks pieces of each vector
     * @throws IllegalStateException if this is no reduction
     */
    public ReductionPlan plan(Scenario scenario, ReductionPlanner planner, int chunks) {
        int nodes = scenario.nodeCount();
        return switch (this) {
            case REDUCE -> planner.reduce(scenario.rankOf(scenario.root()), chunks, true);
            case ALLREDUCE -> planner.allReduce(chunks, true);
            case REDUCESCATTER ->
                planner.reduceScatter(
                        ImmutableIntArray.copyOf(IntStream.range(0, nodes)
                                .map(rank -> firstChunk(rank + 1, nodes, chunks) - firstChunk(rank, nodes, chunks))),
                        true);
            case SCAN -> planner.scan(chunks);
            case EXSCAN -> planner.exScan(chunks);
            default -> throw new IllegalStateException(this + " is no reduction");
        };
    }

    private static int firstChunk(int rank, int nodes, int chunks) {
        return (int) ((long) rank * chunks / nodes);
    }

    /** How many ranks, from the first one on, the result of a rank combines; of a reduction among so many nodes. */
    public int ranksInResult(int rank, int nodes) {
        return switch (this) {
            case SCAN -> rank + 1;
            case EXSCAN -> rank;
            default -> nodes;
        };
    }

    /** Whether nodes combine vectors, each of which has the size of the data. */
    public boolean isReduction() {
        return REDUCTIONS.contains(this);
    }

    /** Whether all nodes want all of the data. */
    public boolean isWantedByAll() {
        return WANTED_BY_ALL.contains(this);
    }

    /** Whether a cluster possesses everything at the start, so that no data have to enter it. */
    public boolean isAllIn(Scenario scenario, int cluster) {
        Stream<Integer> clusters =
                owners(scenario).stream().map(owner -> scenario.placeOf(owner).cluster());
        return this == MULTI_ROOT
                ? clusters.anyMatch(owner -> owner == cluster)
                : clusters.allMatch(owner -> owner == cluster);
    }

    /** Whether exactly one copy has to enter each cluster that does not possess everything. */
    public boolean isOneCopyIdeal() {
        // In an allgather, clusters need all but their own parts.
        return isWantedByAll() && this != ALLGATHER;
    }

    /** The number of equal parts that the data consist of; 1 if nobody possesses or wants a part alone. */
    public long parts(Scenario scenario) {
        long nodes = scenario.nodeCount();
        return switch (this) {
            case STRIPING -> owners(scenario).size();
            case ALLGATHER, SCATTER, GATHER, REDUCESCATTER -> nodes;
            case ALLTOALL -> nodes * nodes;
            case MULTICAST, MULTI_ROOT, REDUCE, ALLREDUCE, SCAN, EXSCAN -> 1;
        };
    }

    /**
     * The share of the data that one node has to bring to another, 0..1; of calls in which each node gets its data from one owner.
     *
     * @throws IllegalStateException if all nodes want all of the data
     */
    public double share(Scenario scenario, int from, int to) {
        int root = scenario.rankOf(scenario.root());
        double part = 1.0 / scenario.nodeCount();
        return switch (this) {
            case SCATTER -> from == root && to != root ? part : 0;
            case GATHER -> to == root && from != root ? part : 0;
            case ALLTOALL -> from == to ? 0 : part * part;
            default -> throw new IllegalStateException(this + " has no shares");
        };
    }

    /** How many copies of the data all nodes have to receive, at least. */
    public double copies(Scenario scenario) {
        int nodes = scenario.nodeCount();
        return switch (this) {
            case MULTICAST, MULTI_ROOT -> nodes - owners(scenario).size();
            case STRIPING, ALLGATHER -> nodes - 1;
            case SCATTER, GATHER, ALLTOALL -> 1 - 1.0 / nodes;
            case REDUCE, REDUCESCATTER, SCAN, EXSCAN -> nodes - 1;
            case ALLREDUCE -> 2.0 * (nodes - 1);
        };
    }

    /** The share of the data that each cluster possesses at the start, 0..1; of calls in which all nodes want all of it. */
    public double[] sharesByCluster(Scenario scenario) {
        double[] shares = new double[scenario.clusters().size()];
        ImmutableList<Integer> owners = owners(scenario);
        for (int owner : owners) {
            int cluster = scenario.placeOf(owner).cluster();
            shares[cluster] = this == STRIPING || this == ALLGATHER ? shares[cluster] + 1.0 / owners.size() : 1;
        }
        return shares;
    }

    /** As users write it: {@code multi-root}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

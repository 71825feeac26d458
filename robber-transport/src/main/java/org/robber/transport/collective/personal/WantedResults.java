package org.robber.transport.collective.personal;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.util.stream.IntStream;
import org.robber.core.topology.Topology;
import org.robber.transport.collective.reduce.Reduction;

/** The parts of the results of a {@link HierarchicalReduction} that members and clusters want, and the slices of these that its combiners have. */
final class WantedResults {
    private final Reduction reduction;
    private final Topology topology;
    private final int combiners;
    private final ImmutableList<VectorRange> ofMembers;
    private final ImmutableList<VectorRange> ofClusters;
    private final ImmutableList<VectorRange> ranges;

    /**
     * A wish for a part of a result.
     *
     * @param range of the vector
     * @param contributors how many first ranks are in the result
     */
    record Wish(VectorRange range, int contributors) {}

    /** @param topology the clusters of the members, each with ranks in a row */
    WantedResults(Reduction reduction, Topology topology) {
        this.reduction = reduction;
        this.topology = topology;
        int smallest = IntStream.range(0, topology.clusterCount())
                .map(topology::clusterSize)
                .min()
                .orElseThrow();
        this.combiners =
                (int) Math.max(1, Math.min(smallest, reduction.vectorBytes() / PersonalSteps.LEAST_SLICE_BYTES));
        this.ofMembers = ofMembers(reduction);
        this.ofClusters = IntStream.range(0, topology.clusterCount())
                .mapToObj(cluster -> IntStream.of(topology.members(cluster))
                        .mapToObj(ofMembers::get)
                        .reduce(VectorRange.EMPTY, VectorRange::span))
                .collect(ImmutableList.toImmutableList());
        this.ranges = ImmutableSet.copyOf(ofClusters).asList();
    }

    private static ImmutableList<VectorRange> ofMembers(Reduction reduction) {
        ImmutableList.Builder<VectorRange> wanted = ImmutableList.builder();
        long at = 0;
        for (int member = 0; member < reduction.size(); member++) {
            boolean wantsAll = reduction.ownBlock() < 0;
            long bytes = wantsAll
                    ? reduction.vectorBytes()
                    : reduction.blocks().bytes().get(member);
            boolean wantsNothing = reduction.contributors().applyAsInt(member) == 0;
            wanted.add(wantsNothing ? VectorRange.EMPTY : VectorRange.of(at, bytes));
            at += wantsAll ? 0 : bytes;
        }
        return wanted.build();
    }

    /** How many members of each cluster combine: its first ones. */
    int combiners() {
        return combiners;
    }

    /** The range that a member wants. */
    VectorRange ofMember(int member) {
        return ofMembers.get(member);
    }

    /** The range that the members of a cluster want together. */
    VectorRange ofCluster(int cluster) {
        return ofClusters.get(cluster);
    }

    /** The ranges that clusters want, each once. */
    ImmutableList<VectorRange> ranges() {
        return ranges;
    }

    /** The slice of a range that one combiner of each cluster combines. */
    VectorRange slice(VectorRange range, int combiner) {
        return range.slice(combiner, combiners);
    }

    /** The size of the slices of all ranges together. */
    int sliceBytes(int combiner) {
        return ranges.stream().mapToInt(range -> slice(range, combiner).size()).sum();
    }

    /** The wish of a member to a combiner of its cluster. */
    Wish wish(int member, int combiner) {
        VectorRange slice = slice(ofCluster(topology.clusterOf(member)), combiner);
        return new Wish(slice.common(ofMember(member)), reduction.contributors().applyAsInt(member));
    }

    /** Whether results of a cluster have all of another one in them. */
    boolean needs(int cluster, int other) {
        return IntStream.of(topology.members(cluster))
                .anyMatch(member -> reduction.contributors().applyAsInt(member) >= end(other));
    }

    /** The rank after the last of a cluster. */
    int end(int cluster) {
        return topology.member(cluster, topology.clusterSize(cluster) - 1) + 1;
    }
}

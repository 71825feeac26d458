package org.robber.emulation.scenario;

import com.google.common.collect.ImmutableList;
import java.util.Locale;
import java.util.stream.IntStream;
import org.robber.core.topology.DataPlacement;

/** The collective call of an experiment: who possesses which part of the data at the start. All nodes want all of it. */
public enum Collective {
    /** The root possesses everything. */
    MULTICAST,

    /** The root and the first node of the next cluster possess everything. */
    MULTI_ROOT,

    /** The nodes of the root's cluster possess equal parts. */
    STRIPING,

    /** All nodes possess equal parts. */
    ALLGATHER;

    /** The owners at the start, by rank but for the root, which is the first. */
    public ImmutableList<Integer> owners(Scenario scenario) {
        int root = scenario.rankOf(scenario.root());
        int rootCluster = scenario.root().cluster();
        return switch (this) {
            case MULTICAST -> ImmutableList.of(root);
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
            case ALLGATHER -> IntStream.range(0, scenario.nodeCount()).boxed().collect(ImmutableList.toImmutableList());
        };
    }

    /** The pieces that each node possesses at the start. */
    public DataPlacement placement(Scenario scenario, int pieceCount) {
        return ownersHaveParts()
                ? DataPlacement.striped(owners(scenario), pieceCount)
                : DataPlacement.ofRoots(owners(scenario), pieceCount);
    }

    /** The share of the data that each cluster possesses at the start, 0..1. */
    public double[] sharesByCluster(Scenario scenario) {
        double[] shares = new double[scenario.clusters().size()];
        ImmutableList<Integer> owners = owners(scenario);
        for (int owner : owners) {
            int cluster = scenario.placeOf(owner).cluster();
            shares[cluster] = ownersHaveParts() ? shares[cluster] + 1.0 / owners.size() : 1;
        }
        return shares;
    }

    private boolean ownersHaveParts() {
        return this == STRIPING || this == ALLGATHER;
    }

    /** As users write it: {@code multi-root}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

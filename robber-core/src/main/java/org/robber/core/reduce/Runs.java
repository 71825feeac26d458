package org.robber.core.reduce;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.robber.core.topology.Topology;

/**
 * The groups of nodes whose contributions are combined first. Each has nodes of one cluster, in the order of ranks. Runs are ordered by
 * their first rank.
 */
final class Runs {
    private final List<int[]> runs = new ArrayList<>();

    /** The clusters; or, if inputs must keep their order, the longest runs of consecutive ranks of one cluster. */
    Runs(Topology topology, boolean commutative) {
        if (commutative) {
            for (int cluster = 0; cluster < topology.clusterCount(); cluster++) {
                runs.add(topology.members(cluster));
            }
        } else {
            int first = 0;
            for (int rank = 1; rank <= topology.size(); rank++) {
                if (rank == topology.size() || !topology.sameCluster(first, rank)) {
                    runs.add(IntStream.range(first, rank).toArray());
                    first = rank;
                }
            }
        }
    }

    int count() {
        return runs.size();
    }

    /** The ranks of a run. */
    int[] ranks(int run) {
        return runs.get(run);
    }
}

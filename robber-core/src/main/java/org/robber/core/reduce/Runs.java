package org.robber.core.reduce;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
                int[] members = new int[topology.clusterSize(cluster)];
                int number = cluster;
                Arrays.setAll(members, index -> topology.member(number, index));
                runs.add(members);
            }
        } else {
            int first = 0;
            for (int rank = 1; rank <= topology.size(); rank++) {
                if (rank == topology.size() || !topology.sameCluster(first, rank)) {
                    int[] run = new int[rank - first];
                    int start = first;
                    Arrays.setAll(run, index -> start + index);
                    runs.add(run);
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

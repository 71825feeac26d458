package org.robber.transport.job;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.robber.core.topology.Topology;

/**
 * The nodes that take part in a multicast: all of the job but those that were lost before. Strategies know them by numbers
 * without gaps. Immutable.
 *
 * @param ranks the ranks of the nodes, by number
 * @param topology the nodes by number, and their clusters
 */
record Group(List<Integer> ranks, Topology topology) {

    /** All nodes of a job but these. */
    static Group without(Set<Integer> lost, Topology job) {
        List<Integer> ranks = new ArrayList<>();
        List<String> clusters = new ArrayList<>();
        for (int rank = 0; rank < job.size(); rank++) {
            if (!lost.contains(rank)) {
                ranks.add(rank);
                clusters.add(job.clusterName(job.clusterOf(rank)));
            }
        }
        return new Group(List.copyOf(ranks), lost.isEmpty() ? job : Topology.of(clusters));
    }

    /** The rank of the node with this number. */
    int rank(int number) {
        return ranks.get(number);
    }

    /** The number of the node with this rank; negative if it was lost. */
    int number(int rank) {
        return Collections.binarySearch(ranks, rank);
    }
}

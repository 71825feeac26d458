package org.robber.transport.job;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.robber.core.topology.Topology;

/**
 * The nodes that take part in a multicast: all of the job but those that were lost before. Strategies know them by numbers
 * without gaps; the numbers behind are those of joiners, of whom strategies do not know. Immutable.
 *
 * @param ranks the ranks of the nodes, by number
 * @param topology the nodes by number, and their clusters
 * @param jobSize how many nodes the job has, with those that were lost; ranks from there on are joiners'
 */
record MulticastGroup(List<Integer> ranks, Topology topology, int jobSize) {

    /** All nodes of a job but these. */
    static MulticastGroup without(Set<Integer> lost, Topology job) {
        List<Integer> ranks = new ArrayList<>();
        List<String> clusters = new ArrayList<>();
        for (int rank = 0; rank < job.size(); rank++) {
            if (!lost.contains(rank)) {
                ranks.add(rank);
                clusters.add(job.clusterName(job.clusterOf(rank)));
            }
        }
        return new MulticastGroup(List.copyOf(ranks), lost.isEmpty() ? job : Topology.of(clusters), job.size());
    }

    /** The rank of the node with this number. */
    int rank(int number) {
        return number < ranks.size() ? ranks.get(number) : jobSize + number - ranks.size();
    }

    /** The number of the node with this rank; negative if it was lost. */
    int number(int rank) {
        return rank < jobSize ? Collections.binarySearch(ranks, rank) : ranks.size() + rank - jobSize;
    }
}

package org.robber.core.reduce;

import org.robber.core.topology.Topology;
import org.robber.core.topology.WorkDivision;

/** Divides the chunks of a reduction among nodes, in contiguous parts. */
final class ChunkDivision {
    private ChunkDivision() {}

    /** The node of each chunk, if these clusters get equal parts, and their members equal parts of those. */
    static int[] amongClusters(int[] clusters, int chunks, Topology topology) {
        int[] nodes = new int[chunks];
        for (int place = 0; place < clusters.length; place++) {
            int first = WorkDivision.boundary(place, clusters.length, chunks);
            int end = WorkDivision.boundary(place + 1, clusters.length, chunks);
            for (int chunk = first; chunk < end; chunk++) {
                nodes[chunk] = memberFor(chunk - first, end - first, clusters[place], topology);
            }
        }
        return nodes;
    }

    /** The member of a cluster that gets the piece of this number, of so many that its members divide. */
    static int memberFor(int number, int count, int cluster, Topology topology) {
        return topology.member(cluster, (int) ((long) number * topology.clusterSize(cluster) / count));
    }
}

package org.robber.cli.launch;

/**
 * How many nodes to start on this machine.
 *
 * @param clusters 1 to 26: they are named by letters
 * @param nodesPerCluster at least 1
 */
public record LocalShape(int clusters, int nodesPerCluster) {

    /** How many nodes that is. */
    public int nodes() {
        return clusters * nodesPerCluster;
    }

    /** The name of the cluster that a rank belongs to: ranks are dealt cluster by cluster. */
    public String clusterOf(int rank) {
        return String.valueOf((char) ('A' + rank / nodesPerCluster));
    }

    /** The name of a node: {@code B-3} is the fourth of the second cluster. */
    public String nodeName(int rank) {
        return clusterOf(rank) + "-" + rank % nodesPerCluster;
    }
}

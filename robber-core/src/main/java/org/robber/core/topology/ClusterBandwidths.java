package org.robber.core.topology;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;

/**
 * The network between the clusters of one topology as far as it is known, in bytes per second. Clusters go by their
 * numbers. Immutable.
 */
public final class ClusterBandwidths {
    private final ImmutableList<String> names;
    private final double[][] rates;
    private final double[] accessUp;
    private final double[] accessDown;
    private final double[][] cardsUp;
    private final double[][] cardsDown;

    ClusterBandwidths(
            ImmutableList<String> names,
            double[][] rates,
            double[] accessUp,
            double[] accessDown,
            double[][] cardsUp,
            double[][] cardsDown) {
        this.names = names;
        this.rates = rates;
        this.accessUp = accessUp;
        this.accessDown = accessDown;
        this.cardsUp = cardsUp;
        this.cardsDown = cardsDown;
    }

    /** Number of clusters. */
    public int clusterCount() {
        return rates.length;
    }

    /** Name of the cluster of this number. */
    public String name(int cluster) {
        return names.get(cluster);
    }

    /** Rate of the link from one cluster to another one, 0 or more. */
    public double rate(int fromCluster, int toCluster) {
        return rates[fromCluster][toCluster];
    }

    /** What a cluster can send: the lesser of its access line and all its cards. */
    public double up(int cluster) {
        return Math.min(accessUp[cluster], Arrays.stream(cardsUp[cluster]).sum());
    }

    /** What a cluster can receive: the lesser of its access line and all its cards. */
    public double down(int cluster) {
        return Math.min(accessDown[cluster], Arrays.stream(cardsDown[cluster]).sum());
    }

    /** What the card of a member can send. */
    public double cardUp(int cluster, int index) {
        return cardsUp[cluster][index];
    }

    /** What the card of a member can receive. */
    public double cardDown(int cluster, int index) {
        return cardsDown[cluster][index];
    }
}

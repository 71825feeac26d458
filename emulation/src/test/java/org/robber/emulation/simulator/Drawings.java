package org.robber.emulation.simulator;

import static java.lang.Double.POSITIVE_INFINITY;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.ClusterSpec;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.NicScope;
import org.robber.emulation.scenario.NodePlace;
import org.robber.emulation.scenario.Origin;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.scenario.Scenario;

/** Scenarios in a few words. */
public final class Drawings {
    public static final long MILLI = 1_000_000;

    private Drawings() {}

    /** A cluster without limits of its own. */
    public static ClusterSpec cluster(String name, int nodes) {
        return cluster(name, nodes, POSITIVE_INFINITY, NicScope.ALL);
    }

    /** A cluster whose nodes have cards of this rate. */
    public static ClusterSpec cluster(String name, int nodes, double cardBytesPerSecond, NicScope nic) {
        ImmutableList<Double> cards = ImmutableList.copyOf(Collections.nCopies(nodes, cardBytesPerSecond));
        return new ClusterSpec(
                name,
                nodes,
                POSITIVE_INFINITY,
                POSITIVE_INFINITY,
                cards,
                cards,
                nic,
                POSITIVE_INFINITY,
                POSITIVE_INFINITY,
                POSITIVE_INFINITY);
    }

    /** The cluster with these cards, one for each of its nodes, for what leaves the cluster and enters it. */
    public static ClusterSpec withCards(ClusterSpec cluster, Double... cardsBytesPerSecond) {
        ImmutableList<Double> cards = ImmutableList.copyOf(cardsBytesPerSecond);
        return new ClusterSpec(
                cluster.name(),
                cluster.nodes(),
                cluster.accessUp(),
                cluster.accessDown(),
                cards,
                cards,
                NicScope.WAN,
                cluster.lanUp(),
                cluster.lanDown(),
                cluster.lan());
    }

    /** Links of the given rates, the same in both directions. */
    public static Phase links(double[][] megabytesPerSecond, long delayNanos) {
        Map<ClusterPair, LinkSpec> links = new TreeMap<>();
        for (int from = 0; from < megabytesPerSecond.length; from++) {
            for (int to = 0; to < megabytesPerSecond.length; to++) {
                if (from != to) {
                    double rate = Math.max(megabytesPerSecond[from][to], megabytesPerSecond[to][from]);
                    links.put(new ClusterPair(from, to), new LinkSpec(rate * 1e6, delayNanos, 0));
                }
            }
        }
        return new Phase(0, ImmutableSortedMap.copyOf(links));
    }

    /** A link. */
    public static LinkSpec link(double megabytesPerSecond, long delayNanos, double loss) {
        return new LinkSpec(megabytesPerSecond * 1e6, delayNanos, loss);
    }

    /** The same link from the first cluster to the second, and back. */
    public static ImmutableSortedMap<ClusterPair, LinkSpec> bothWays(LinkSpec link) {
        return ImmutableSortedMap.of(new ClusterPair(0, 1), link, new ClusterPair(1, 0), link);
    }

    /** The cluster with limits that all its nodes share. */
    public static ClusterSpec withShared(ClusterSpec cluster, double accessUp, double accessDown, double lan) {
        return new ClusterSpec(
                cluster.name(),
                cluster.nodes(),
                accessUp,
                accessDown,
                cluster.nodeUp(),
                cluster.nodeDown(),
                cluster.nic(),
                cluster.lanUp(),
                cluster.lanDown(),
                lan);
    }

    /** The scenario of these; rank 0 is the root. */
    public static Scenario of(Phase phase, ClusterSpec... clusters) {
        return new Scenario(
                "test",
                "",
                Origin.GENERATED,
                new NodePlace(0, 0),
                ImmutableList.copyOf(clusters),
                ImmutableList.of(phase));
    }

    /** The first test case of the paper, with fast links: its bound is 16 MB/s. */
    public static Scenario testCaseOne(int nodesPerCluster) {
        double[][] rates = {{0, 10, 3, 8}, {0, 0, 8, 2}, {0, 0, 0, 6}, {0, 0, 0, 0}};
        return of(
                links(rates, 10 * MILLI),
                cluster("A", nodesPerCluster),
                cluster("B", nodesPerCluster),
                cluster("C", nodesPerCluster),
                cluster("D", nodesPerCluster));
    }
}

package org.robber.core.topology;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.stream.IntStream;
import org.robber.core.random.SeededRandom;

/**
 * Plans the connections of BitTorrent: a random graph over all nodes in which each has {@code degree} peers, or a few of
 * them one or two more. It begins as a random ring, and so is connected whatever is added at random.
 */
public final class MeshPlanner {

    /** Peers per node in the published comparison. */
    public static final int PUBLISHED_DEGREE = 5;

    private MeshPlanner() {}

    /**
     * The connections of all nodes, chosen without a look at clusters.
     *
     * @param degree how many peers a node shall have, at least 2
     * @param seed the same on all nodes
     */
    public static Overlay plan(Topology topology, int degree, long seed) {
        checkArgument(degree >= 2, "degree: %s", degree);
        Overlay.Builder overlay = Overlay.builder(topology);
        int[] ranks = IntStream.range(0, topology.size()).toArray();
        new LocalGraph(overlay, ranks, degree, SeededRandom.forUse(seed, -1)).connect();
        return overlay.build();
    }

    /**
     * The connections of all nodes, with a bias for the own cluster. All peers of a node but one belong to it. Where the cluster is
     * too small for that, more peers are outside. A random ring of the clusters connects them.
     *
     * <p>Source: Bindal et al., "Improving Traffic Locality in BitTorrent via Biased Neighbor Selection", ICDCS 2006.
     *
     * @param degree how many peers a node shall have, at least 3
     * @param seed the same on all nodes
     */
    public static Overlay planBiased(Topology topology, int degree, long seed) {
        checkArgument(degree >= 3, "degree: %s", degree);
        if (topology.clusterCount() == 1) {
            return plan(topology, degree, seed);
        }
        Overlay.Builder overlay = Overlay.builder(topology);
        for (int cluster = 0; cluster < topology.clusterCount(); cluster++) {
            int[] ranks = topology.members(cluster);
            new LocalGraph(overlay, ranks, degree - 1, SeededRandom.forUse(seed, cluster)).connect();
        }
        SeededRandom random = SeededRandom.forUse(seed, -1);
        int[] ring = random.permutation(topology.clusterCount());
        for (int place = 0; place < ring.length; place++) {
            overlay.connect(
                    anyMember(topology, ring[place], random),
                    anyMember(topology, ring[(place + 1) % ring.length], random));
        }
        for (int rank : random.permutation(topology.size())) {
            connectOutside(topology, overlay, rank, degree, random);
        }
        return overlay.build();
    }

    private static int anyMember(Topology topology, int cluster, SeededRandom random) {
        return topology.member(cluster, random.nextInt(topology.clusterSize(cluster)));
    }

    private static void connectOutside(
            Topology topology, Overlay.Builder overlay, int rank, int degree, SeededRandom random) {
        for (int draws = 4 * degree; draws > 0 && overlay.degree(rank) < degree; draws--) {
            int other = random.nextInt(topology.size());
            if (!topology.sameCluster(rank, other)) {
                overlay.connect(rank, other);
            }
        }
    }
}

package org.robber.core.rivals.tree;

import com.google.common.base.Splitter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.robber.core.rivals.tree.plan.ClusterTree;
import org.robber.core.topology.BandwidthMap;
import org.robber.core.topology.ClusterBandwidths;
import org.robber.core.topology.Topology;

/** The networks of the published experiments, with the rates of {@code emulation/scenarios}. */
public final class Networks {
    private static final double NO_LIMIT = Double.POSITIVE_INFINITY;

    private Networks() {}

    /** Links that are equal in both directions, such as {@code A-B=10 A-C=8}. */
    public static BandwidthMap.Builder symmetric(String links) {
        BandwidthMap.Builder map = BandwidthMap.builder();
        for (String link : Splitter.on(' ').split(links)) {
            double rate = Double.parseDouble(link.substring(link.indexOf('=') + 1));
            map.link(link.substring(0, 1), link.substring(2, 3), rate);
            map.link(link.substring(2, 3), link.substring(0, 1), rate);
        }
        return map;
    }

    /** Three hosts behind access lines of 10: the example of the paper on Balanced Multicasting. */
    public static BandwidthMap sc05() {
        return symmetric("A-B=10 A-C=8 B-C=4")
                .cluster("A", 10, 10, List.of(), List.of())
                .cluster("B", 10, 10, List.of(), List.of())
                .cluster("C", 10, 10, List.of(), List.of())
                .build();
    }

    public static BandwidthMap fast() {
        return symmetric("A-B=10 A-C=3 A-D=8 B-C=8 B-D=2 C-D=6").build();
    }

    /** The fast network after two of its links became slow. */
    public static BandwidthMap slow() {
        return symmetric("A-B=10 A-C=3 A-D=0.8 B-C=0.8 B-D=2 C-D=6").build();
    }

    /** Six clusters of 16 nodes, 4 of which have a slow card. */
    public static BandwidthMap slowNodes() {
        BandwidthMap.Builder map = symmetric(
                "A-B=4 A-C=2 A-D=1 A-E=2 A-F=4 B-C=4 B-D=2 B-E=1 B-F=2 C-D=4 C-E=2 C-F=1" + " D-E=4 D-F=2 E-F=4");
        List<Double> cards = new ArrayList<>(Collections.nCopies(12, 12.5));
        cards.addAll(Collections.nCopies(4, 0.1));
        for (int cluster = 0; cluster < 6; cluster++) {
            map.cluster(Topology.letters(cluster), NO_LIMIT, NO_LIMIT, cards, cards);
        }
        return map.build();
    }

    /** Four clusters of four nodes, whose cards are the only limit. */
    public static BandwidthMap local() {
        BandwidthMap.Builder map = symmetric("A-B=1000 A-C=1000 A-D=1000 B-C=1000 B-D=1000 C-D=1000");
        List<Double> cards = Collections.nCopies(4, 11.2);
        for (int cluster = 0; cluster < 4; cluster++) {
            map.cluster(Topology.letters(cluster), NO_LIMIT, NO_LIMIT, cards, cards);
        }
        return map.build();
    }

    /** As strategies see it, with as many nodes per cluster. */
    public static ClusterBandwidths network(BandwidthMap map, int clusters, int nodes) {
        int[] sizes =
                Collections.nCopies(clusters, nodes).stream().mapToInt(n -> n).toArray();
        return map.of(Topology.ofSizes(sizes));
    }

    public static double sum(List<ClusterTree> trees) {
        return trees.stream().mapToDouble(ClusterTree::rate).sum();
    }
}

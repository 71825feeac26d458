package org.robber.emulation.scenario;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.robber.emulation.json.JsonPlace;

/** Reads the clusters of a scenario file. */
final class ClusterReader {
    private static final ImmutableSortedSet<String> KEYS = ImmutableSortedSet.of(
            "name", "nodes", "access_up", "access_down", "node_up", "node_down", "nic", "lan_up", "lan_down", "lan");

    /** Of all clusters together: a typing error should not fill the memory. */
    private static final int MOST_NODES = 1_000_000;

    /** Rates between clusters take memory by the square of their number, and strategies plan with all of them. */
    static final int MOST_CLUSTERS = 2_000;

    private static final int NAMED_CLUSTERS = 10;

    private ClusterReader() {}

    static ImmutableList<ClusterSpec> clusters(JsonPlace place) {
        List<JsonPlace> items = place.items("a list of clusters");
        if (items.isEmpty()) {
            throw place.fault("at least one cluster");
        }
        if (items.size() > MOST_CLUSTERS) {
            throw place.fault("at most " + MOST_CLUSTERS + " clusters");
        }
        ImmutableList.Builder<ClusterSpec> clusters = ImmutableList.builder();
        Set<String> names = new HashSet<>();
        int left = MOST_NODES;
        for (JsonPlace item : items) {
            ClusterSpec cluster = cluster(item, left);
            if (!names.add(cluster.name())) {
                throw item.field("name").fault("a name that no other cluster has");
            }
            left -= cluster.nodes();
            clusters.add(cluster);
        }
        return clusters.build();
    }

    /** The names of clusters, to be shown to people. */
    static String names(List<ClusterSpec> clusters) {
        return NameList.first(NAMED_CLUSTERS, clusters.stream().map(ClusterSpec::name));
    }

    private static ClusterSpec cluster(JsonPlace place, int mostNodes) {
        place.allowOnly("an object that describes a cluster", KEYS);
        int nodes = nodes(place.field("nodes"), mostNodes);
        return new ClusterSpec(
                name(place.field("name")),
                nodes,
                Units.rate(place.field("access_up")),
                Units.rate(place.field("access_down")),
                perNode(place.field("node_up"), nodes),
                perNode(place.field("node_down"), nodes),
                nic(place.field("nic")),
                Units.rate(place.field("lan_up")),
                Units.rate(place.field("lan_down")),
                Units.rate(place.field("lan")));
    }

    private static String name(JsonPlace place) {
        String expected = "a name without -, slashes or spaces";
        String name = place.text(expected);
        if (!ClusterSpec.isName(name)) {
            throw place.fault(expected);
        }
        return name;
    }

    private static int nodes(JsonPlace place, int most) {
        String expected = "a number of nodes, at least 1, and at most " + MOST_NODES + " in all clusters together";
        double nodes = place.number(expected, 1, most).doubleValue();
        if (nodes != Math.rint(nodes)) {
            throw place.fault(expected);
        }
        return (int) nodes;
    }

    private static ImmutableList<Double> perNode(JsonPlace place, int nodes) {
        if (!place.isList()) {
            return ImmutableList.copyOf(Collections.nCopies(nodes, Units.rate(place)));
        }
        List<JsonPlace> items = place.items(Units.RATE);
        if (items.size() != nodes) {
            throw place.fault("one number for all nodes, or a list of " + nodes + ", one for each node");
        }
        return items.stream().map(Units::rate).collect(ImmutableList.toImmutableList());
    }

    private static NicScope nic(JsonPlace place) {
        if (place.isAbsent()) {
            return NicScope.ALL;
        }
        String text = place.text("all or wan");
        for (NicScope scope : NicScope.values()) {
            if (scope.word().equals(text)) {
                return scope;
            }
        }
        throw place.fault("all or wan");
    }
}

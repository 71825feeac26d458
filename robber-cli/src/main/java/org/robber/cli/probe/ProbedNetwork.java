package org.robber.cli.probe;

import static org.robber.emulation.json.JsonObjectWriter.objects;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.emulation.json.JsonObjectWriter;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.ClusterSpec;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.NodePlace;
import org.robber.emulation.scenario.Origin;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioWriter;

/**
 * What was measured: for people, for programs as {@code probe.schema.json} describes it, and as a scenario.
 *
 * @param clusterOrigin how the clusters were found; empty elsewhere than at rank 0
 * @param clusters in the order of their first nodes
 * @param links each direction of each pair
 */
record ProbedNetwork(String clusterOrigin, List<ProbedCluster> clusters, List<ProbedLink> links) {
    private static final int SCHEMA = 1;

    /**
     * A cluster.
     *
     * @param insideBytesPerSecond from one of its nodes to another; 0 if it has one node
     */
    record ProbedCluster(String name, int nodes, double insideBytesPerSecond) {}

    /** A direction between two clusters. */
    record ProbedLink(String from, String to, double bytesPerSecond, double roundTripSeconds) {
        String text() {
            return String.format(
                    Locale.ROOT,
                    "%s to %s: %s, round trip %.1f ms",
                    from,
                    to,
                    rate(bytesPerSecond),
                    roundTripSeconds * 1e3);
        }
    }

    /** In the unit of scenarios. */
    static String rate(double bytesPerSecond) {
        double mb = bytesPerSecond / 1e6;
        return String.format(Locale.ROOT, mb < 10 ? "%.2f MB/s" : "%.1f MB/s", mb);
    }

    /** Lines for people. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("clusters: " + clusters.size() + ", " + clusterOrigin);
        for (ProbedCluster cluster : clusters) {
            lines.add("cluster " + cluster.name() + ": " + cluster.nodes() + (cluster.nodes() == 1 ? " node" : " nodes")
                    + (cluster.insideBytesPerSecond() == 0
                            ? ""
                            : ", " + rate(cluster.insideBytesPerSecond()) + " from one to another"));
        }
        links.forEach(link -> lines.add("link " + link.text()));
        return lines;
    }

    /** Indented JSON. */
    String json() {
        return JsonObjectWriter.indented(json -> {
            json.writeNumberProperty("schema", SCHEMA);
            json.writeStringProperty("clusters_found_by", clusterOrigin);
            objects(json, "clusters", clusters, cluster -> {
                json.writeStringProperty("name", cluster.name());
                json.writeNumberProperty("nodes", cluster.nodes());
                if (cluster.insideBytesPerSecond() > 0) {
                    json.writeNumberProperty("inside_bytes_per_second", Math.round(cluster.insideBytesPerSecond()));
                }
            });
            objects(json, "links", links, link -> {
                json.writeStringProperty("from", link.from());
                json.writeStringProperty("to", link.to());
                json.writeNumberProperty("bytes_per_second", Math.round(link.bytesPerSecond()));
                json.writeNumberProperty("rtt_seconds", link.roundTripSeconds());
            });
        });
    }

    /**
     * Refuses clusters of which no scenario can be made.
     *
     * @throws RobberException with {@code USAGE} if a name cannot stand in a scenario
     */
    static void checkNames(List<String> clusters) {
        for (String name : clusters) {
            if (!ClusterSpec.isName(name)) {
                throw new RobberException(
                        Reason.USAGE,
                        List.of(0),
                        "probe",
                        "the cluster '" + name
                                + "' cannot stand in a scenario: use names without -, slashes and spaces");
            }
        }
    }

    /** The network as a scenario, for clusters with names that can stand in one. The rate inside a cluster is that of its nodes' cards. */
    String scenario() {
        ImmutableList.Builder<ClusterSpec> specs = ImmutableList.builder();
        for (ProbedCluster cluster : clusters) {
            double card = cluster.insideBytesPerSecond() == 0
                    ? Double.POSITIVE_INFINITY
                    : Math.rint(cluster.insideBytesPerSecond());
            specs.add(ClusterSpec.ofCards(cluster.name(), cluster.nodes(), card));
        }
        List<String> names = clusters.stream().map(ProbedCluster::name).toList();
        ImmutableSortedMap.Builder<ClusterPair, LinkSpec> pairs = ImmutableSortedMap.naturalOrder();
        for (ProbedLink link : links) {
            long oneWayMicros = Math.round(link.roundTripSeconds() * 1e6 / 2);
            pairs.put(
                    new ClusterPair(names.indexOf(link.from()), names.indexOf(link.to())),
                    new LinkSpec(Math.rint(link.bytesPerSecond()), 1000 * oneWayMicros, 0));
        }
        return ScenarioWriter.text(new Scenario(
                        "probed",
                        "What robber-cli probe has measured",
                        Origin.MEASURED,
                        new NodePlace(0, 0),
                        specs.build(),
                        ImmutableList.of(new Phase(0, pairs.buildOrThrow()))))
                + "\n";
    }
}

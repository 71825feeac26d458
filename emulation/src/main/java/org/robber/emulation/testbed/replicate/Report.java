package org.robber.emulation.testbed.replicate;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.Collections;
import java.util.List;
import org.robber.emulation.json.JsonPlace;
import org.robber.emulation.json.JsonTree;
import org.robber.emulation.run.NodeRun;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.ClusterSpec;
import org.robber.emulation.scenario.Scenario;

/**
 * The parts of a report of {@code robber-cli replicate} that this package uses. {@code robber-cli} keeps its schema.
 *
 * @param seconds from the root's start to the last node's last verified piece
 * @param problem empty if every node is complete
 * @param nodes those that the job has reported: none, if it failed before it began
 * @param stolen data that each link carried
 */
record Report(
        double seconds, String problem, ImmutableList<NodeRun> nodes, ImmutableSortedMap<ClusterPair, Long> stolen) {

    private static final double MOST = 1e18;

    /**
     * Reads a report.
     *
     * @throws IllegalArgumentException if it is none
     */
    static Report parse(String json, Scenario scenario) {
        try {
            JsonPlace file = JsonTree.parse("robber-cli", json);
            ImmutableList<JsonPlace> nodes = file.field("nodes").items("a list of nodes");
            List<Double> times = nodes.stream().map(Report::seconds).toList();
            int last = times.isEmpty() ? -1 : times.indexOf(Collections.max(times));
            ImmutableList.Builder<NodeRun> runs = ImmutableList.builder();
            for (int i = 0; i < nodes.size(); i++) {
                JsonPlace node = nodes.get(i);
                // The root counts until it knows of the last piece of all nodes: that is the last node's time, too.
                double time = i == last ? Math.max(seconds(file), times.get(i)) : times.get(i);
                runs.add(new NodeRun(
                        (int) whole(node, "rank"),
                        text(node, "status").equals("complete") ? Math.round(time * 1e9) : -1,
                        whole(node, "bytes_received_local"),
                        whole(node, "bytes_received_wan"),
                        whole(node, "pieces_stolen_wan"),
                        whole(node, "control_bytes_sent")));
            }
            List<String> clusters =
                    scenario.clusters().stream().map(ClusterSpec::name).toList();
            ImmutableSortedMap.Builder<ClusterPair, Long> stolen = ImmutableSortedMap.naturalOrder();
            for (JsonPlace link : file.field("links").items("a list of links")) {
                stolen.put(
                        new ClusterPair(clusters.indexOf(text(link, "from")), clusters.indexOf(text(link, "to"))),
                        whole(link, "bytes"));
            }
            JsonPlace error = file.field("error");
            return new Report(
                    seconds(file), error.isAbsent() ? "" : text(error, "message"), runs.build(), stolen.buildOrThrow());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("not a report: " + e.getMessage(), e);
        }
    }

    /** All of so many nodes. */
    ImmutableList<NodeRun> allNodes(int count) {
        ImmutableList.Builder<NodeRun> all = ImmutableList.<NodeRun>builder().addAll(nodes);
        for (int rank = nodes.size(); rank < count; rank++) {
            all.add(NodeRun.idle(rank));
        }
        return all.build();
    }

    private static double seconds(JsonPlace object) {
        return object.field("seconds").number("a number of seconds", 0, MOST).doubleValue();
    }

    private static long whole(JsonPlace object, String name) {
        return object.field(name).whole("a whole number");
    }

    private static String text(JsonPlace object, String name) {
        return object.field(name).text("a text");
    }
}

package org.robber.emulation.testbed.replicate;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.List;
import org.robber.emulation.json.JsonException;
import org.robber.emulation.json.JsonPlace;
import org.robber.emulation.json.JsonTree;
import org.robber.emulation.run.NodeRun;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.ClusterSpec;

/**
 * The parts of a report of {@code robber-cli replicate} that this package uses. {@code robber-cli} keeps its schema.
 *
 * @param seconds from the root's start to the last node's last verified piece
 * @param problem empty if every node is complete
 */
record Report(double seconds, String problem, ImmutableList<Node> nodes, ImmutableList<Link> links) {

    /** One node of the report. */
    record Node(
            int rank,
            boolean complete,
            double seconds,
            long localBytes,
            long outsideBytes,
            long stolenPieces,
            long controlBytes) {}

    /** Data that went from one cluster to another, by their names. */
    record Link(String from, String to, long bytes) {}

    private static final double MOST = 1e18;

    /**
     * Reads a report.
     *
     * @throws IllegalArgumentException if it is none
     */
    static Report parse(String json) {
        try {
            return report(JsonTree.parse("robber-cli", json));
        } catch (JsonException e) {
            throw new IllegalArgumentException("not a report: " + e.getMessage(), e);
        }
    }

    /**
     * Times by node. The root counts until it knows of the last piece of all nodes: that is the time of the last node, as of the
     * job. A job that failed before it began has reported no nodes.
     */
    ImmutableList<NodeRun> nodeRuns(int count) {
        int last = -1;
        for (Node node : nodes) {
            if (last < 0 || node.seconds() > nodes.get(last).seconds()) {
                last = node.rank();
            }
        }
        ImmutableList.Builder<NodeRun> runs = ImmutableList.builder();
        for (Node node : nodes) {
            double nodeSeconds = node.rank() == last ? Math.max(seconds, node.seconds()) : node.seconds();
            runs.add(new NodeRun(
                    node.rank(),
                    node.complete() ? Math.round(nodeSeconds * 1e9) : -1,
                    node.localBytes(),
                    node.outsideBytes(),
                    node.stolenPieces(),
                    node.controlBytes()));
        }
        for (int rank = nodes.size(); rank < count; rank++) {
            runs.add(NodeRun.idle(rank));
        }
        return runs.build();
    }

    /** Data that each link carried. */
    ImmutableSortedMap<ClusterPair, Long> stolen(List<ClusterSpec> clusters) {
        List<String> names = clusters.stream().map(ClusterSpec::name).toList();
        ImmutableSortedMap.Builder<ClusterPair, Long> stolen = ImmutableSortedMap.naturalOrder();
        for (Link link : links) {
            stolen.put(new ClusterPair(names.indexOf(link.from()), names.indexOf(link.to())), link.bytes());
        }
        return stolen.buildOrThrow();
    }

    private static Report report(JsonPlace file) {
        ImmutableList.Builder<Node> nodes = ImmutableList.builder();
        for (JsonPlace node : file.field("nodes").items("a list of nodes")) {
            nodes.add(new Node(
                    (int) whole(node, "rank"),
                    text(node, "status").equals("complete"),
                    seconds(node),
                    whole(node, "bytes_received_local"),
                    whole(node, "bytes_received_wan"),
                    whole(node, "pieces_stolen_wan"),
                    whole(node, "control_bytes_sent")));
        }
        ImmutableList.Builder<Link> links = ImmutableList.builder();
        for (JsonPlace link : file.field("links").items("a list of links")) {
            links.add(new Link(text(link, "from"), text(link, "to"), whole(link, "bytes")));
        }
        JsonPlace error = file.field("error");
        return new Report(seconds(file), error.isAbsent() ? "" : text(error, "message"), nodes.build(), links.build());
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

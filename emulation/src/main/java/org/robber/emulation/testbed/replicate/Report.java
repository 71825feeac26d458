package org.robber.emulation.testbed.replicate;

import com.google.common.collect.ImmutableList;
import org.robber.emulation.json.JsonException;
import org.robber.emulation.json.JsonPlace;
import org.robber.emulation.json.JsonTree;

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

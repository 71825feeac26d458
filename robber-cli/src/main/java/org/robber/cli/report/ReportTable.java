package org.robber.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.robber.cli.progress.ByteText;
import org.robber.cli.report.JobReport.Cluster;
import org.robber.cli.report.JobReport.Node;
import org.robber.cli.report.JobReport.Skipped;
import org.robber.core.strategy.Strategies;

/** The report as a table for people. */
public final class ReportTable {

    private static final int MOST_SKIPPED_SHOWN = 20;
    private static final List<String> HEADS = List.of(
            "RANK", "NODE", "HOST", "STATUS", "SECONDS", "LOCAL IN", "WAN IN", "LOCAL OUT", "WAN OUT", "STOLEN");
    /** How many columns from the left hold words; the rest are figures. */
    private static final int WORD_COLUMNS = 4;

    private ReportTable() {}

    /** Lines without trailing blanks, each ended by a line break. */
    public static String text(JobReport report) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEADS);
        boolean steals = Strategies.steals(report.strategy());
        for (Node node : report.nodes()) {
            rows.add(row(node, steals));
        }
        StringBuilder text = new StringBuilder(ColumnText.of(rows, WORD_COLUMNS)).append('\n');
        appendFailures(text, report);
        for (Cluster cluster : report.clusters()) {
            text.append(String.format(
                    Locale.ROOT,
                    "cluster %s: %d node%s, %s from other clusters, %.3f WAN copies%n",
                    cluster.name(),
                    cluster.nodes(),
                    cluster.nodes() == 1 ? "" : "s",
                    ByteText.bytes(cluster.bytesReceivedWan()),
                    cluster.wanCopies()));
        }
        if (report.bytesUnchanged() > 0) {
            text.append(String.format(
                    Locale.ROOT, "unchanged: %s, as sizes and times tell%n", ByteText.bytes(report.bytesUnchanged())));
        }
        long reusedBytes = report.nodes().stream()
                .mapToLong(node -> node.result().stats().bytesReused())
                .sum();
        if (reusedBytes > 0) {
            text.append(String.format(Locale.ROOT, "reused: %s were there already%n", ByteText.bytes(reusedBytes)));
        }
        long deleted = report.nodes().stream()
                .mapToLong(node -> node.result().entriesDeleted())
                .sum();
        if (deleted > 0) {
            text.append(String.format(
                    Locale.ROOT, "deleted: %d entries of all copies, which the source does not have%n", deleted));
        }
        appendRelayed(text, report.nodes());
        appendSkipped(text, report.skipped());
        appendJoined(text, report.nodes().stream().filter(Node::joined).toList());
        List<Node> members =
                report.nodes().stream().filter(node -> !node.joined()).toList();
        text.append(String.format(
                Locale.ROOT,
                "%s: %d of %d nodes have %s (%s), %.2f s, %s, strategy %s%n",
                report.status(),
                complete(members),
                members.size(),
                ByteText.bytes(report.bytes()),
                report.entries() == 1 ? "1 entry" : report.entries() + " entries",
                report.seconds(),
                ByteText.rate(report.bytesPerSecond()),
                report.strategy()));
        return text.toString();
    }

    private static long complete(List<Node> nodes) {
        return nodes.stream()
                .filter(node -> node.status() == JobReport.NodeStatus.COMPLETE)
                .count();
    }

    private static void appendJoined(StringBuilder text, List<Node> joined) {
        if (!joined.isEmpty()) {
            text.append(String.format(
                    Locale.ROOT,
                    "joined: %d of %d nodes that joined %s complete%n",
                    complete(joined),
                    joined.size(),
                    complete(joined) == 1 ? "is" : "are"));
        }
    }

    private static List<String> row(Node node, boolean steals) {
        return List.of(
                Integer.toString(node.rank()),
                node.name(),
                node.host(),
                node.status().text() + (node.joined() ? ", joined" : ""),
                String.format(Locale.ROOT, "%.2f%s", node.result().seconds(), node.slowest() ? "*" : " "),
                ByteText.bytes(node.bytesReceivedLocal()),
                ByteText.bytes(node.bytesReceivedWan()),
                ByteText.bytes(node.bytesSentLocal()),
                ByteText.bytes(node.bytesSentWan()),
                steals ? Integer.toString(node.result().stats().piecesStolenWan()) : "-");
    }

    private static void appendFailures(StringBuilder text, JobReport report) {
        for (Node node : report.nodes()) {
            NodeFailure failure = node.failure();
            if (failure != null) {
                text.append(String.format(
                        Locale.ROOT,
                        "%s %s (%s, during '%s', with %s of %s): %s%n",
                        node.status().text(),
                        node.name(),
                        failure.reason().name().toLowerCase(Locale.ROOT),
                        failure.phase(),
                        ByteText.bytes(node.result().verifiedBytes()),
                        ByteText.bytes(report.bytes()),
                        failure.message().replaceAll("\\R", " ")));
            }
        }
    }

    private static void appendRelayed(StringBuilder text, List<Node> nodes) {
        for (Node node : nodes) {
            if (node.result().bytesRelayed() > 0) {
                text.append(String.format(
                        Locale.ROOT,
                        "relayed: %s passed on %s between nodes that cannot connect to each other%n",
                        node.name(),
                        ByteText.bytes(node.result().bytesRelayed())));
            }
        }
    }

    private static void appendSkipped(StringBuilder text, List<Skipped> skipped) {
        for (Skipped one : skipped.subList(0, Math.min(skipped.size(), MOST_SKIPPED_SHOWN))) {
            text.append("skipped: ")
                    .append(one.path())
                    .append(" (")
                    .append(one.reason())
                    .append(")\n");
        }
        if (skipped.size() > MOST_SKIPPED_SHOWN) {
            text.append("skipped: and ")
                    .append(skipped.size() - MOST_SKIPPED_SHOWN)
                    .append(" more, all of them in the JSON report\n");
        }
    }
}

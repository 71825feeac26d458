package org.robber.cli.report;

import java.util.List;
import java.util.Locale;
import org.robber.cli.progress.ByteText;
import org.robber.cli.report.JobReport.Cluster;
import org.robber.cli.report.JobReport.Failure;
import org.robber.cli.report.JobReport.Link;
import org.robber.cli.report.JobReport.Node;
import org.robber.cli.report.JobReport.NodeStatus;
import org.robber.cli.report.JobReport.Skipped;
import org.robber.emulation.report.Page;
import org.robber.emulation.report.chart.Markup;

/** The report as a page for a browser: the figures of all nodes, and how the transfer went over time. */
public final class JobPage {

    /** Classes of tables: with words in the first three columns, and in the first alone. */
    private static final String WORDS = "runs";

    private static final String FIGURES = "strategies";

    private final JobReport report;
    private final Markup out;

    private JobPage(JobReport report, Markup out) {
        this.report = report;
        this.out = out;
    }

    /**
     * The page.
     *
     * @param title what was copied, and to how many nodes
     * @param clusters the names of those that the history counts by number
     */
    public static String text(JobReport report, String title, TransferHistory history, List<String> clusters) {
        JobPage page = new JobPage(report, Page.begin("Robber: " + title));
        page.writeSummary(title);
        new TransferCharts(history, clusters).write(page.out);
        page.writeClusters();
        page.writeNodes();
        page.writeSkipped();
        return Page.end(page.out);
    }

    private void writeSummary(String title) {
        List<Node> members =
                report.nodes().stream().filter(node -> !node.joined()).toList();
        long complete = members.stream()
                .filter(node -> node.status() == NodeStatus.COMPLETE)
                .count();
        out.leaf("h1", title);
        out.leaf(
                "p",
                String.format(
                        Locale.ROOT,
                        "%s: %d of %d nodes have %s (%s), %.2f s, %s, strategy %s, exit code %d",
                        report.status(),
                        complete,
                        members.size(),
                        ByteText.bytes(report.bytes()),
                        report.entries() == 1 ? "1 entry" : report.entries() + " entries",
                        report.seconds(),
                        ByteText.rate(report.bytesPerSecond()),
                        report.strategy(),
                        report.exitCode()));
        Failure error = report.error();
        if (error != null) {
            out.paragraph("bad", error.message());
        }
        out.raw("\n");
    }

    private void writeClusters() {
        if (report.clusters().isEmpty()) {
            return;
        }
        out.leaf("h2", "Clusters");
        out.table(FIGURES, List.of("CLUSTER", "NODES", "FROM OTHER CLUSTERS", "WAN COPIES"));
        for (Cluster cluster : report.clusters()) {
            row(
                    cluster.name(),
                    Integer.toString(cluster.nodes()),
                    ByteText.bytes(cluster.bytesReceivedWan()),
                    String.format(Locale.ROOT, "%.3f", cluster.wanCopies()));
        }
        out.endTable();
        List<Link> used =
                report.links().stream().filter(link -> link.bytes() > 0).toList();
        if (!used.isEmpty()) {
            out.table(WORDS, List.of("FROM", "TO", "BYTES"));
            used.forEach(link -> row(link.from(), link.to(), ByteText.bytes(link.bytes())));
            out.endTable();
        }
    }

    private void writeNodes() {
        out.leaf("h2", "Nodes");
        out.table(
                WORDS,
                List.of(
                        "NODE",
                        "HOST",
                        "STATUS",
                        "RANK",
                        "SECONDS",
                        "LOCAL IN",
                        "WAN IN",
                        "LOCAL OUT",
                        "WAN OUT",
                        "REUSED",
                        "DAMAGED"));
        for (Node node : report.nodes()) {
            row(
                    node.name(),
                    node.host(),
                    node.status().text() + (node.joined() ? ", joined" : "") + (node.slowest() ? ", last" : ""),
                    Integer.toString(node.rank()),
                    String.format(Locale.ROOT, "%.2f", node.result().seconds()),
                    ByteText.bytes(node.bytesReceivedLocal()),
                    ByteText.bytes(node.bytesReceivedWan()),
                    ByteText.bytes(node.bytesSentLocal()),
                    ByteText.bytes(node.bytesSentWan()),
                    ByteText.bytes(node.result().stats().bytesReused()),
                    Integer.toString(node.result().stats().corruptPieces()));
        }
        out.endTable();
        for (Node node : report.nodes()) {
            NodeFailure failure = node.failure();
            if (failure != null) {
                out.paragraph("bad", node.name() + ", during '" + failure.phase() + "': " + failure.message());
            }
        }
    }

    private void writeSkipped() {
        if (report.skipped().isEmpty()) {
            return;
        }
        out.leaf("h2", "Not copied");
        out.table(WORDS, List.of("PATH", "REASON"));
        for (Skipped one : report.skipped()) {
            row(one.path(), one.reason());
        }
        out.endTable();
    }

    private void row(String... cells) {
        out.open("tr");
        for (String cell : cells) {
            out.leaf("td", cell);
        }
        out.closeLine();
    }
}

package org.robber.cli.report;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableDoubleArray;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.robber.cli.report.TransferHistory.Link;
import org.robber.cli.report.TransferHistory.Sample;
import org.robber.emulation.report.Palette;
import org.robber.emulation.report.chart.LineChart;
import org.robber.emulation.report.chart.Markup;
import org.robber.emulation.report.chart.Series;

/** What nodes received and links carried over time, drawn as {@code emulate} draws it. */
final class TransferCharts {

    private static final int MOST_CLUSTERS = 12;
    private static final int MOST_LINKS = 24;
    private static final int POINTS = 60;

    /** Rates are means over this share of the time: a node counts whole pieces, of which one comes now and then. */
    private static final double WINDOW = 0.1;

    private static final double BYTES_PER_MEGABYTE = 1e6;

    private final TransferHistory history;
    private final List<Sample> samples;
    private final List<String> clusters;

    /** @param clusters their names */
    TransferCharts(TransferHistory history, List<String> clusters) {
        this.history = history;
        this.samples = history.samples();
        this.clusters = clusters;
    }

    /** Writes all charts; nothing if nothing was sent. */
    void write(Markup out) {
        Set<Link> links = new LinkedHashSet<>();
        samples.forEach(sample -> links.addAll(sample.links().keySet()));
        if (samples.size() < 2 || links.isEmpty()) {
            return;
        }
        out.leaf("h2", "Data received by nodes over time").open("div", "class", "charts");
        List<Integer> receiving =
                links.stream().map(Link::to).distinct().sorted().toList();
        receiving.stream()
                .limit(MOST_CLUSTERS)
                .forEach(cluster -> ofNodes(cluster).write(out));
        out.closeLine();
        remark(out, MOST_CLUSTERS, receiving.size(), "first", "clusters");
        List<Link> wide =
                links.stream().filter(link -> link.from() != link.to()).toList();
        if (wide.isEmpty()) {
            return;
        }
        out.leaf("h2", "Data between clusters over time").open("div", "class", "charts small");
        wide.stream()
                .sorted(Comparator.comparingLong(this::carried).reversed())
                .limit(MOST_LINKS)
                .sorted(Comparator.comparingInt(Link::from).thenComparingInt(Link::to))
                .forEach(link -> ofLink(link).write(out));
        out.closeLine();
        remark(out, MOST_LINKS, wide.size(), "busiest", "links");
    }

    private static void remark(Markup out, int most, int all, String which, String what) {
        if (all > most) {
            out.paragraph("note", "The " + most + " " + which + " of " + all + " " + what + ".");
        }
    }

    private long carried(Link link) {
        return samples.get(samples.size() - 1).links().getOrDefault(link, 0L);
    }

    private LineChart ofNodes(int cluster) {
        ImmutableList.Builder<Series> lines = ImmutableList.builder();
        List<Integer> shown = history.shownNodes(cluster);
        int nodes = history.receivers(cluster);
        String name = shown.size() == nodes ? "each node" : shown.size() + " of the nodes";
        for (int rank : shown) {
            lines.add(series(name, "line thin", 1, sample -> sample.nodes().getOrDefault(rank, 0L)));
            name = "";
        }
        lines.add(series("mean", Palette.line(cluster), Math.max(1, nodes), sample -> into(cluster, sample)));
        return new LineChart(
                "Cluster " + clusters.get(cluster) + ", " + nodes + (nodes == 1 ? " receiver" : " receivers"),
                "MB/s",
                lines.build());
    }

    private static long into(int cluster, Sample sample) {
        return sample.links().entrySet().stream()
                .filter(link -> link.getKey().to() == cluster)
                .mapToLong(link -> link.getValue())
                .sum();
    }

    private LineChart ofLink(Link link) {
        Series carried = series(
                "all nodes together",
                Palette.line(link.from()),
                1,
                sample -> sample.links().getOrDefault(link, 0L));
        return new LineChart(
                clusters.get(link.from()) + " \u2192 " + clusters.get(link.to()), "MB/s", ImmutableList.of(carried));
    }

    private Series series(String name, String style, int divisor, ToLongFunction<Sample> bytes) {
        ImmutableDoubleArray.Builder seconds = ImmutableDoubleArray.builder();
        ImmutableDoubleArray.Builder rates = ImmutableDoubleArray.builder();
        double end = samples.get(samples.size() - 1).seconds();
        for (int i = 0; i <= POINTS && end > 0; i++) {
            double middle = end * i / POINTS;
            double from = Math.max(0, middle - end * WINDOW / 2);
            double to = Math.min(end, middle + end * WINDOW / 2);
            seconds.add(middle);
            rates.add((bytesAt(to, bytes) - bytesAt(from, bytes)) / (to - from) / divisor / BYTES_PER_MEGABYTE);
        }
        return new Series(name, style, seconds.build(), rates.build());
    }

    /** The total at a moment, between two samples in proportion. */
    private double bytesAt(double seconds, ToLongFunction<Sample> bytes) {
        int next = 1;
        while (next < samples.size() - 1 && samples.get(next).seconds() < seconds) {
            next++;
        }
        Sample before = samples.get(next - 1);
        Sample after = samples.get(next);
        double length = after.seconds() - before.seconds();
        double share = length > 0 ? Math.min(1, (seconds - before.seconds()) / length) : 1;
        long earlier = bytes.applyAsLong(before);
        return earlier + share * (bytes.applyAsLong(after) - earlier);
    }
}

package org.robber.cli.metrics;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * Writes metrics in OpenMetrics text, or in the older text format of Prometheus, which node exporters read from files. They differ in
 * how the types of counters are named, and in the last line.
 */
final class MetricsText {

    /** What a metric is. */
    enum MetricType {
        /** May go up and down. */
        GAUGE(""),
        /** Only grows; its samples end with {@code _total}. */
        COUNTER("_total"),
        /** Always 1: its labels are what it says. */
        INFO("_info");

        private final String suffix;

        MetricType(String suffix) {
            this.suffix = suffix;
        }
    }

    private final StringBuilder out = new StringBuilder();
    private final boolean openMetrics;
    private final String commonLabels;
    private String sampleName = "";

    /**
     * @param openMetrics whether in that format
     * @param commonLabels of all samples: names and values in turn
     */
    MetricsText(boolean openMetrics, String... commonLabels) {
        this.openMetrics = openMetrics;
        this.commonLabels = labels(commonLabels);
    }

    /**
     * Begins a metric; its samples follow.
     *
     * @param unit which its name ends with, or empty
     * @param help a sentence
     */
    MetricsText metric(String name, MetricType type, String unit, String help) {
        sampleName = name + type.suffix;
        String family = openMetrics ? name : sampleName;
        String typeName = openMetrics || type != MetricType.INFO ? type.name() : MetricType.GAUGE.name();
        out.append("# HELP ").append(family).append(' ').append(help).append('\n');
        out.append("# TYPE ")
                .append(family)
                .append(' ')
                .append(typeName.toLowerCase(Locale.ROOT))
                .append('\n');
        if (openMetrics && !unit.isEmpty()) {
            out.append("# UNIT ").append(family).append(' ').append(unit).append('\n');
        }
        return this;
    }

    /** A sample of the metric that was begun last; labels are names and values in turn. */
    MetricsText sample(long value, String... labels) {
        return sample(BigDecimal.valueOf(value), labels);
    }

    /** The same for a time, which is rounded to milliseconds. */
    MetricsText sample(double seconds, String... labels) {
        return sample(
                BigDecimal.valueOf(seconds).setScale(3, RoundingMode.HALF_EVEN).stripTrailingZeros(), labels);
    }

    private MetricsText sample(BigDecimal value, String... labels) {
        String own = labels(labels);
        String all = commonLabels + (commonLabels.isEmpty() || own.isEmpty() ? "" : ",") + own;
        out.append(sampleName).append(all.isEmpty() ? "" : "{" + all + "}");
        out.append(' ').append(value.toPlainString()).append('\n');
        return this;
    }

    /** All of it. */
    String finish() {
        return openMetrics ? out + "# EOF\n" : out.toString();
    }

    private static String labels(String... labels) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < labels.length; i += 2) {
            text.append(i == 0 ? "" : ",").append(labels[i]).append("=\"");
            text.append(
                    labels[i + 1].replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"));
            text.append('"');
        }
        return text.toString();
    }
}

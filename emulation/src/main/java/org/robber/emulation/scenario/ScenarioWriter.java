package org.robber.emulation.scenario;

import com.google.common.collect.Iterables;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.core.io.JsonStringEncoder;

/**
 * Writes scenarios as files, in the layout of the project's own files: a line for each cluster, link and phase. {@link
 * ScenarioReader} reads an equal scenario from the file, to the last bit of each rate.
 */
public final class ScenarioWriter {

    private ScenarioWriter() {}

    /** The scenario as JSON that ends with a line break. */
    public static String text(Scenario scenario) {
        Map<ClusterPair, LinkSpec> links = scenario.phases().get(0).links();
        List<String> linkLines = new ArrayList<>();
        links.forEach((pair, link) -> linkLines.add(quoted(scenario.pairName(pair)) + ": " + link(link)));
        return "{\n"
                + "  \"name\": " + quoted(scenario.name()) + ",\n"
                + "  \"origin\": " + quoted(scenario.origin().word()) + ",\n"
                + "  \"description\": " + quoted(scenario.description()) + ",\n"
                + "  \"root\": " + quoted(scenario.nodeName(scenario.root())) + ",\n"
                + "  \"clusters\": [" + lines(Iterables.transform(scenario.clusters(), ScenarioWriter::cluster))
                + "],\n"
                + "  \"links\": {" + lines(linkLines) + "},\n"
                + "  \"phases\": [" + lines(phases(scenario)) + "]\n"
                + "}\n";
    }

    private static String cluster(ClusterSpec cluster) {
        Fields fields = new Fields();
        fields.add("name", quoted(cluster.name()));
        fields.add("nodes", Integer.toString(cluster.nodes()));
        fields.addLimit("access_up", cluster.accessUp());
        fields.addLimit("access_down", cluster.accessDown());
        fields.addLimits("node_up", cluster.nodeUp());
        fields.addLimits("node_down", cluster.nodeDown());
        fields.add("nic", quoted(cluster.nic().word()));
        fields.addLimit("lan_up", cluster.lanUp());
        fields.addLimit("lan_down", cluster.lanDown());
        fields.addLimit("lan", cluster.lan());
        return fields.toString();
    }

    private static String link(LinkSpec link) {
        Fields fields = new Fields();
        fields.add("mbps", rate(link.bytesPerSecond()));
        fields.add("delay_ms", Units.millis(link.delayNanos()).toPlainString());
        if (link.loss() != 0) {
            fields.add("loss", number(link.loss()));
        }
        return fields.toString();
    }

    private static List<String> phases(Scenario scenario) {
        List<String> lines = new ArrayList<>();
        for (int i = 1; i < scenario.phases().size(); i++) {
            Phase before = scenario.phases().get(i - 1);
            Phase phase = scenario.phases().get(i);
            Fields links = new Fields();
            phase.links().forEach((pair, link) -> {
                LinkSpec old = before.links().get(pair);
                if (old != null && !old.equals(link)) {
                    links.add(scenario.pairName(pair), changes(old, link));
                }
            });
            Fields fields = new Fields();
            fields.add("at", Units.seconds(phase.atNanos()).toPlainString());
            fields.add("links", links.toString());
            lines.add(fields.toString());
        }
        return lines;
    }

    private static String changes(LinkSpec old, LinkSpec link) {
        Fields fields = new Fields();
        if (old.bytesPerSecond() != link.bytesPerSecond()) {
            fields.add("mbps", rate(link.bytesPerSecond()));
        }
        if (old.delayNanos() != link.delayNanos()) {
            fields.add("delay_ms", Units.millis(link.delayNanos()).toPlainString());
        }
        if (old.loss() != link.loss()) {
            fields.add("loss", number(link.loss()));
        }
        return fields.toString();
    }

    private static String rate(double bytesPerSecond) {
        return Double.isInfinite(bytesPerSecond)
                ? "null"
                : Units.mbps(bytesPerSecond).toPlainString();
    }

    private static String number(double value) {
        return BigDecimal.valueOf(value).toPlainString();
    }

    private static String quoted(String text) {
        return '"' + new String(JsonStringEncoder.getInstance().quoteAsCharArray(text)) + '"';
    }

    private static String lines(Iterable<String> items) {
        return Iterables.isEmpty(items) ? "" : "\n    " + String.join(",\n    ", items) + "\n  ";
    }

    /** An object on one line. */
    private static final class Fields {
        private final List<String> fields = new ArrayList<>();

        void add(String key, String json) {
            fields.add(quoted(key) + ": " + json);
        }

        void addLimit(String key, double bytesPerSecond) {
            if (!Double.isInfinite(bytesPerSecond)) {
                add(key, rate(bytesPerSecond));
            }
        }

        void addLimits(String key, List<Double> bytesPerSecond) {
            if (bytesPerSecond.stream().distinct().count() == 1) {
                addLimit(key, bytesPerSecond.get(0));
            } else {
                add(key, "[" + String.join(", ", Iterables.transform(bytesPerSecond, ScenarioWriter::rate)) + "]");
            }
        }

        @Override
        public String toString() {
            return "{" + String.join(", ", fields) + "}";
        }
    }
}

package org.robber.emulation.scenario;

import com.google.common.collect.ContiguousSet;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.emulation.json.JsonObjectWriter;
import tools.jackson.core.JsonGenerator;

/** Writes scenarios as JSON. {@link ScenarioReader} reads an equal scenario from it, to the last bit of each rate. */
public final class ScenarioWriter {

    private ScenarioWriter() {}

    /** The scenario as JSON on one line. */
    public static String text(Scenario scenario) {
        return JsonObjectWriter.line(json -> {
            json.writeStringProperty("name", scenario.name());
            json.writeStringProperty("origin", scenario.origin().word());
            json.writeStringProperty("description", scenario.description());
            json.writeStringProperty("root", scenario.nodeName(scenario.root()));
            JsonObjectWriter.objects(json, "clusters", scenario.clusters(), cluster -> writeCluster(json, cluster));
            json.writeObjectPropertyStart("links");
            scenario.phases()
                    .get(0)
                    .links()
                    .forEach((pair, link) -> writeLink(json, scenario.pairName(pair), null, link));
            json.writeEndObject();
            List<Phase> phases = scenario.phases();
            JsonObjectWriter.objects(
                    json,
                    "phases",
                    ContiguousSet.closedOpen(1, phases.size()),
                    i -> writePhase(json, scenario, phases.get(i - 1), phases.get(i)));
        });
    }

    private static void writeCluster(JsonGenerator json, ClusterSpec cluster) {
        json.writeStringProperty("name", cluster.name());
        json.writeNumberProperty("nodes", cluster.nodes());
        writeLimit(json, "access_up", cluster.accessUp());
        writeLimit(json, "access_down", cluster.accessDown());
        writeLimits(json, "node_up", cluster.nodeUp());
        writeLimits(json, "node_down", cluster.nodeDown());
        json.writeStringProperty("nic", cluster.nic().word());
        writeLimit(json, "lan_up", cluster.lanUp());
        writeLimit(json, "lan_down", cluster.lanDown());
        writeLimit(json, "lan", cluster.lan());
    }

    private static void writePhase(JsonGenerator json, Scenario scenario, Phase before, Phase phase) {
        json.writeNumberProperty("at", Units.seconds(phase.atNanos()));
        json.writeObjectPropertyStart("links");
        phase.links().forEach((pair, link) -> {
            LinkSpec old = before.links().get(pair);
            if (old != null && !old.equals(link)) {
                writeLink(json, scenario.pairName(pair), old, link);
            }
        });
        json.writeEndObject();
    }

    /** Writes a link, or its changes. */
    private static void writeLink(JsonGenerator json, String name, @Nullable LinkSpec old, LinkSpec link) {
        json.writeObjectPropertyStart(name);
        if (old == null || old.bytesPerSecond() != link.bytesPerSecond()) {
            json.writeName("mbps");
            writeRate(json, link.bytesPerSecond());
        }
        if (old == null || old.delayNanos() != link.delayNanos()) {
            json.writeNumberProperty("delay_ms", Units.millis(link.delayNanos()));
        }
        if ((old == null ? 0 : old.loss()) != link.loss()) {
            json.writeNumberProperty("loss", BigDecimal.valueOf(link.loss()));
        }
        json.writeEndObject();
    }

    private static void writeLimit(JsonGenerator json, String name, double bytesPerSecond) {
        if (!Double.isInfinite(bytesPerSecond)) {
            json.writeNumberProperty(name, Units.mbps(bytesPerSecond));
        }
    }

    private static void writeLimits(JsonGenerator json, String name, List<Double> bytesPerSecond) {
        if (bytesPerSecond.stream().distinct().count() == 1) {
            writeLimit(json, name, bytesPerSecond.get(0));
        } else {
            json.writeArrayPropertyStart(name);
            bytesPerSecond.forEach(rate -> writeRate(json, rate));
            json.writeEndArray();
        }
    }

    private static void writeRate(JsonGenerator json, double bytesPerSecond) {
        if (Double.isInfinite(bytesPerSecond)) {
            json.writeNull();
        } else {
            json.writeNumber(Units.mbps(bytesPerSecond));
        }
    }
}

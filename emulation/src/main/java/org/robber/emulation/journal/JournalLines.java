package org.robber.emulation.journal;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.function.Consumer;
import org.robber.emulation.json.JsonObjectWriter;
import org.robber.emulation.run.Backend;
import org.robber.emulation.run.NodeRun;
import org.robber.emulation.run.Recovery;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.run.Timeline;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.Scenario;
import tools.jackson.core.JsonGenerator;

/** The lines of a journal, each a JSON object as {@code journal.schema.json} describes it. */
final class JournalLines {

    /** Format of the file; increases when readers of the old format would fail. */
    static final int SCHEMA = 1;

    static final String BEGIN = "begin";
    static final String SCENARIOS = "scenarios";
    static final String RUN = "run";

    private static final String BESIDE = "beside_nanos";
    private static final String RECOVERIES = "recoveries";

    private JournalLines() {}

    /** The first line. */
    static String begin(Conditions conditions) {
        return line(BEGIN, json -> {
            json.writeNumberProperty("schema", SCHEMA);
            json.writeStringProperty("begun", conditions.begun().toString());
            write(json, "settings", conditions.settings());
            write(json, SCENARIOS, conditions.scenarios());
        });
    }

    /** Scenarios that were added later. */
    static String scenarios(Map<String, String> digests) {
        return line(SCENARIOS, json -> write(json, SCENARIOS, digests));
    }

    /** A run, with the total of its timeline. */
    static String run(RunResult run) {
        return line(RUN, json -> {
            json.writeStringProperty("scenario", run.scenario().name());
            json.writeStringProperty("strategy", run.strategy());
            json.writeNumberProperty("seed", run.seed());
            json.writeStringProperty("backend", run.backend().name());
            json.writeNumberProperty("bytes", run.dataBytes());
            json.writeNumberProperty("piece_bytes", run.pieceBytes());
            json.writeStringProperty("problem", run.problem());
            json.writeNumberProperty("cpu_nanos", run.cpuNanos());
            write(json, "crossed", run.crossedBytes());
            write(json, "stolen", run.stolenBytes());
            json.writeArrayPropertyStart("nodes");
            for (NodeRun node : run.nodes()) {
                write(
                        json,
                        node.completeNanos(),
                        node.localBytes(),
                        node.outsideBytes(),
                        node.stolenPieces(),
                        node.controlBytes());
            }
            json.writeEndArray();
            json.writeNumberProperty("interval_nanos", run.timeline().intervalNanos());
            JsonObjectWriter.numbers(json, "received", run.timeline().receivedBytes());
            if (!run.besideNanos().isEmpty()) {
                JsonObjectWriter.numbers(json, BESIDE, run.besideNanos());
            }
            if (!run.recoveries().isEmpty()) {
                json.writeArrayPropertyStart(RECOVERIES);
                for (Recovery recovery : run.recoveries()) {
                    write(
                            json,
                            recovery.link().from(),
                            recovery.link().to(),
                            recovery.harmedNanos(),
                            recovery.healedNanos(),
                            recovery.nanos());
                }
                json.writeEndArray();
            }
        });
    }

    private static String line(String type, Consumer<JsonGenerator> fields) {
        return JsonObjectWriter.line(json -> {
                    json.writeStringProperty("type", type);
                    fields.accept(json);
                })
                + "\n";
    }

    private static void write(JsonGenerator json, String name, Map<String, String> texts) {
        json.writeObjectPropertyStart(name);
        texts.forEach(json::writeStringProperty);
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, String name, ImmutableSortedMap<ClusterPair, Long> bytes) {
        json.writeArrayPropertyStart(name);
        bytes.forEach((pair, count) -> write(json, pair.from(), pair.to(), count));
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, long... numbers) {
        json.writeStartArray();
        for (long number : numbers) {
            json.writeNumber(number);
        }
        json.writeEndArray();
    }

    /**
     * Reads the first line.
     *
     * @throws IllegalArgumentException if it is no such line
     */
    static Conditions parseBegin(JournalLine line) {
        try {
            return new Conditions(
                    Instant.parse(line.text("begun")),
                    ImmutableMap.copyOf(line.texts("settings")),
                    ImmutableMap.copyOf(line.texts(SCENARIOS)));
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("no time: begun", e);
        }
    }

    /**
     * Reads a run of this scenario.
     *
     * @throws IllegalArgumentException if it is no such line
     */
    static RunResult parseRun(JournalLine line, Scenario scenario) {
        ImmutableList.Builder<NodeRun> nodes = ImmutableList.builder();
        int rank = 0;
        for (ImmutableList<Long> node : line.table("nodes", 5)) {
            nodes.add(new NodeRun(rank++, node.get(0), node.get(1), node.get(2), node.get(3), node.get(4)));
        }
        if (rank != scenario.nodeCount()) {
            throw new IllegalArgumentException(rank + " nodes of " + scenario.nodeCount());
        }
        return new RunResult(
                scenario,
                Backend.valueOf(line.text("backend")),
                line.text("strategy"),
                line.number("seed"),
                line.number("bytes"),
                Math.toIntExact(line.number("piece_bytes")),
                line.text("problem"),
                nodes.build(),
                links(line, "crossed"),
                links(line, "stolen"),
                line.number("cpu_nanos"),
                new Timeline(
                        line.number("interval_nanos"),
                        line.numbers("received"),
                        ImmutableList.of(),
                        ImmutableSortedMap.of()),
                line.fields().has(BESIDE) ? line.numbers(BESIDE) : ImmutableList.of(),
                line.fields().has(RECOVERIES) ? recoveries(line) : ImmutableList.of());
    }

    private static ImmutableList<Recovery> recoveries(JournalLine line) {
        return line.table(RECOVERIES, 5).stream()
                .map(row -> new Recovery(link(row), row.get(2), row.get(3), row.get(4)))
                .collect(ImmutableList.toImmutableList());
    }

    private static ClusterPair link(ImmutableList<Long> row) {
        return new ClusterPair(Math.toIntExact(row.get(0)), Math.toIntExact(row.get(1)));
    }

    private static ImmutableSortedMap<ClusterPair, Long> links(JournalLine line, String name) {
        ImmutableSortedMap.Builder<ClusterPair, Long> bytes = ImmutableSortedMap.naturalOrder();
        for (ImmutableList<Long> link : line.table(name, 3)) {
            bytes.put(link(link), link.get(2));
        }
        return bytes.buildOrThrow();
    }
}

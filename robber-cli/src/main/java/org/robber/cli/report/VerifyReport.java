package org.robber.cli.report;

import static org.robber.emulation.json.JsonObjectWriter.objects;
import static org.robber.emulation.json.JsonObjectWriter.texts;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.cli.report.JobReport.Failure;
import org.robber.emulation.json.JsonObjectWriter;
import tools.jackson.core.JsonGenerator;

/** What {@code verify} has found on all nodes, copy by copy, as {@code verify.schema.json} describes it. Not thread-safe. */
public final class VerifyReport {
    private final List<Copy> copies = new ArrayList<>();

    private record Copy(String name, @Nullable String repairedFrom, List<Node> nodes) {}

    /**
     * A node's copy.
     *
     * @param status right; damaged; different: whole, but not what the others have; unknown: nothing is known of it; replaced: later copies have all
     *     its files
     * @param filesReplaced how many files later copies have replaced
     * @param problems what is wrong, in words
     */
    public record Node(int rank, String name, String host, String status, int filesReplaced, List<String> problems) {}

    /**
     * Adds a copy.
     *
     * @param name what it is known by among the records
     * @param nodes all of them, by rank, as they were found
     */
    public void add(String name, List<Node> nodes) {
        copies.add(new Copy(name, null, List.copyOf(nodes)));
    }

    /** The copy that was added last is right now: the one of this node was given to the others. */
    public void lastWasRepaired(String donor) {
        Copy last = copies.get(copies.size() - 1);
        copies.set(copies.size() - 1, new Copy(last.name, donor, last.nodes));
    }

    /** Indented JSON that ends with a line break. */
    public String json(int exitCode) {
        return json(exitCode == 0 ? "right" : "damaged", exitCode, null);
    }

    /** The same of a job that failed before all copies were read, or whose report could not be written; with those that were. */
    public String failed(RobberException failure) {
        return json("failed", failure.reason().exitCode(), Failure.of(failure));
    }

    private String json(String status, int exitCode, @Nullable Failure error) {
        return JsonObjectWriter.document(json -> {
            json.writeNumberProperty("schema", JobReport.SCHEMA);
            json.writeStringProperty("status", status);
            json.writeNumberProperty("exit_code", exitCode);
            objects(json, "copies", copies, copy -> {
                json.writeStringProperty("name", copy.name);
                if (copy.repairedFrom != null) {
                    json.writeStringProperty("repaired_from", copy.repairedFrom);
                }
                objects(json, "nodes", copy.nodes, node -> write(json, node));
            });
            JobReportJson.writeError(json, error);
        });
    }

    private static void write(JsonGenerator json, Node node) {
        json.writeNumberProperty("rank", node.rank);
        json.writeStringProperty("name", node.name);
        json.writeStringProperty("host", node.host);
        json.writeStringProperty("status", node.status);
        json.writeNumberProperty("files_replaced", node.filesReplaced);
        texts(json, "problems", node.problems);
    }
}

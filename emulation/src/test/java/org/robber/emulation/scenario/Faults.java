package org.robber.emulation.scenario;

import com.google.common.base.Preconditions;
import com.google.common.collect.ImmutableList;

/** Scenario files with one fault each. */
final class Faults {

    static final String GOOD = """
            {
              "name": "good", "origin": "source, shortened", "description": "d", "root": "A/1",
              "clusters": [
                {"name": "A", "nodes": 2, "access_up": 20, "access_down": null, "node_up": 5, "nic": "all"},
                {"name": "B", "nodes": 3, "node_down": [1, 2.5, null], "lan_up": 100, "lan_down": 100, "lan": 200}
              ],
              "links": {
                "A-B": {"mbps": 10, "delay_ms": 2.5, "loss": 0.01},
                "B-A": {"mbps": 0}
              },
              "phases": [
                {"at": 1.5, "links": {"A-B": {"mbps": null}}},
                {"at": 3, "links": {"A-B": {"loss": 0}, "B-A": {"delay_ms": 7}}}
              ]
            }
            """;

    /**
     * A fault.
     *
     * @param json the file
     * @param path where it is
     * @param expectation part of what the message says was expected
     * @param schemaRefuses whether the JSON Schema can express it
     */
    record Fault(String json, String path, String expectation, boolean schemaRefuses) {
        @Override
        public String toString() {
            return path + " " + expectation;
        }
    }

    static final ImmutableList<Fault> ALL = ImmutableList.of(
            unparsable("", "not JSON: the file is empty"),
            unparsable("{", "not JSON"),
            unparsable("nonsense", "not JSON"),
            unparsable(GOOD + "{}", "not JSON: something follows"),
            unparsable(GOOD.replace("2.5,", "NaN,"), "not JSON"),
            unparsable("[".repeat(10_000), "not JSON"),
            refused("{", "[{", "}\n", "}]\n", "$: ", "an object that describes a scenario, found a list of 1"),
            refused("\"root\"", "\"roots\"", "$.roots: ", "unknown key; expected one of clusters, description, links"),
            refused("\"root\": \"A/1\"", "\"root\": null", "$.root: ", "cluster/index, such as \"A/0\", found nothing"),
            missed("\"A/1\"", "\"C/1\"", "$.root: ", "the cluster one of A, B, found \"C/1\""),
            missed("\"A/1\"", "\"A/2\"", "$.root: ", "the index of a node, 0 to 1, found \"A/2\""),
            refused("\"A/1\"", "\"A\"", "$.root: ", "cluster/index"),
            refused("\"A/1\"", "\"A/01\"", "$.root: ", "the index of a node"),
            refused("\"good\"", "\"a/b\"", "$.name: ", "a name that can be part of a file name"),
            refused("\"name\": \"good\",", "", "$.name: ", "found nothing"),
            refused("\"d\"", "[]", "$.description: ", "a text, found a list of 0"),
            refused(
                    "\"source, shortened\"",
                    "\"sauce\"",
                    "$.origin: ",
                    "source, reconstruction, generated or measured"),
            missed("\"nic\": \"all\"", "\"nodes\": 2", "$.clusters[0].nodes: ", "once, found it twice"),
            refused("\"nic\": \"all\"", "\"nic\": \"lan\"", "$.clusters[0].nic: ", "all or wan, found \"lan\""),
            refused(
                    "\"nic\": \"all\"",
                    "\"nick\": \"all\"",
                    "$.clusters[0].nick: ",
                    "unknown key; expected one of access_down"),
            refused(
                    "\"clusters\": [",
                    "\"clusters\": [" + "{\"name\": \"C\", \"nodes\": 1},".repeat(1999),
                    "$.clusters: ",
                    "at most 2000 clusters, found a list of 2001"),
            refused("\"name\": \"A\"", "\"name\": \"A-1\"", "$.clusters[0].name: ", "a name without -"),
            missed(
                    "\"name\": \"B\"",
                    "\"name\": \"A\"",
                    "$.clusters[1].name: ",
                    "that no other cluster has, found \"A\""),
            refused("\"nodes\": 2", "\"nodes\": 0", "$.clusters[0].nodes: ", "at least 1"),
            refused("\"nodes\": 2", "\"nodes\": 2.5", "$.clusters[0].nodes: ", "a number of nodes"),
            refused("\"nodes\": 2", "\"nodes\": 1e999999999999", "$.clusters[0].nodes: ", "at most 1000000"),
            missed("\"nodes\": 2", "\"nodes\": 999998", "$.clusters[1].nodes: ", "in all clusters together, found 3"),
            refused("\"access_up\": 20", "\"access_up\": -20", "$.clusters[0].access_up: ", "a rate in MB/s from 0"),
            refused(
                    "\"lan\": 200",
                    "\"lan\": 1e10",
                    "$.clusters[1].lan: ",
                    "to 1e9, or null for unlimited, found 1e10"),
            refused("\"lan\": 200", "\"lan\": \"200\"", "$.clusters[1].lan: ", "found \"200\""),
            missed(
                    "2.5, null",
                    "2.5",
                    "$.clusters[1].node_down: ",
                    "a list of 3, one for each node, found a list of 2"),
            refused("2.5, null", "-2.5, null", "$.clusters[1].node_down[1]: ", "a rate in MB/s"),
            refused("2.5, null", "true, null", "$.clusters[1].node_down[1]: ", "found true"),
            refused(
                    "\"links\": {\n",
                    "\"links\": {\"A_B\": {},",
                    "$.links.A_B: ",
                    "two different clusters as in \"A-B\""),
            missed("\"links\": {\n", "\"links\": {\"A-C\": {},", "$.links[\"A-C\"]: ", "of A, B"),
            missed("\"links\": {\n", "\"links\": {\"A-A\": {},", "$.links[\"A-A\"]: ", "two different clusters"),
            refused(
                    "\"mbps\": 10",
                    "\"mpbs\": 10",
                    "$.links[\"A-B\"].mpbs: ",
                    "unknown key; expected one of delay_ms, loss"),
            refused("\"mbps\": 10", "\"mbps\": 1e400", "$.links[\"A-B\"].mbps: ", "a rate in MB/s"),
            refused("\"delay_ms\": 2.5", "\"delay_ms\": -1", "$.links[\"A-B\"].delay_ms: ", "in milliseconds"),
            refused("\"delay_ms\": 2.5", "\"delay_ms\": null", "$.links[\"A-B\"].delay_ms: ", "found nothing"),
            refused("\"loss\": 0.01", "\"loss\": 1", "$.links[\"A-B\"].loss: ", "passes nothing has mbps 0, found 1"),
            refused("\"loss\": 0.01", "\"loss\": 0.9999991", "$.links[\"A-B\"].loss: ", "from 0 to 0.999999"),
            refused("\"loss\": 0.01", "\"loss\": -0.1", "$.links[\"A-B\"].loss: ", "a share of packets"),
            refused(
                    "\"phases\": [",
                    "\"phases\": [" + "{\"at\": 1, \"links\": {}},".repeat(19_999),
                    "$.phases: ",
                    "at most 20000 phases for 2 links, found a list of 20001"),
            missed(manyLinksAndPhases(), "$.phases: ", "at most 111 phases for 8932 links, found a list of 116"),
            refused("\"at\": 1.5", "\"at\": 0", "$.phases[0].at: ", "more than 0 and at most 1e9"),
            refused("\"at\": 1.5", "\"at\": -1", "$.phases[0].at: ", "more than 0"),
            refused("\"at\": 1.5", "\"at\": 2e9", "$.phases[0].at: ", "at most 1e9"),
            missed("\"at\": 1.5", "\"at\": 1e-12", "$.phases[0].at: ", "more than 0"),
            missed("\"at\": 3", "\"at\": 1.5", "$.phases[1].at: ", "more than 1.5"),
            refused("\"at\": 3, ", "", "$.phases[1].at: ", "found nothing"),
            refused(
                    "\"at\": 3",
                    "\"at\": 3, \"nodes\": 1",
                    "$.phases[1].nodes: ",
                    "unknown key; expected one of at, links"),
            refused("{\"A-B\": {\"mbps\": null}}", "[]", "$.phases[0].links: ", "the links that change"),
            missed(
                    "{\"A-B\": {\"loss\": 0}",
                    "{\"A-C\": {\"loss\": 0}",
                    "$.phases[1].links[\"A-C\"]: ",
                    "two different"),
            missed(
                    "\"B-A\": {\"mbps\": 0}",
                    "\"B-A\": {\"mbps\": 0}, \"B-A\": {}",
                    "$.links[\"B-A\"]: ",
                    "found it twice"),
            missed(",\n    \"B-A\": {\"mbps\": 0}", "", "$.phases[1].links[\"B-A\"]: ", "unknown link"));

    private Faults() {}

    private static Fault unparsable(String json, String expectation) {
        return new Fault(json, "", expectation, false);
    }

    private static Fault refused(String from, String to, String path, String expectation) {
        return new Fault(changed(GOOD, from, to), path, expectation, true);
    }

    private static Fault refused(
            String from, String to, String fromEnd, String toEnd, String path, String expectation) {
        String begun = changed(GOOD, from, to);
        int end = begun.lastIndexOf(fromEnd);
        return new Fault(
                begun.substring(0, end) + toEnd + begun.substring(end + fromEnd.length()), path, expectation, true);
    }

    private static Fault missed(String from, String to, String path, String expectation) {
        return new Fault(changed(GOOD, from, to), path, expectation, false);
    }

    private static Fault missed(String json, String path, String expectation) {
        return new Fault(json, path, expectation, false);
    }

    /** Links of 95 more clusters with each other, and 116 phases. */
    private static String manyLinksAndPhases() {
        StringBuilder clusters = new StringBuilder("\"clusters\": [");
        StringBuilder links = new StringBuilder("\"links\": {\n");
        for (int from = 0; from < 95; from++) {
            clusters.append("{\"name\": \"C").append(from).append("\", \"nodes\": 1},");
            for (int to = 0; to < 95; to++) {
                links.append(from == to ? "" : "\"C" + from + "-C" + to + "\": {},");
            }
        }
        String many =
                changed(changed(GOOD, "\"clusters\": [", clusters.toString()), "\"links\": {\n", links.toString());
        return changed(many, "\"phases\": [", "\"phases\": [" + "{\"at\": 1, \"links\": {}},".repeat(114));
    }

    private static String changed(String good, String from, String to) {
        int at = good.indexOf(from);
        Preconditions.checkArgument(at >= 0, "%s is not in the good file", from);
        return good.substring(0, at) + to + good.substring(at + from.length());
    }
}

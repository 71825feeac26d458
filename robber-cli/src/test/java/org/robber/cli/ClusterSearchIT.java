package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.robber.cli.report.ReportSchema;
import org.robber.cli.request.BandwidthFile;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.testbed.sandbox.TestbedRequirements;

/** Two sites, 10 ms apart, in which each host has a subnet of its own: a testbed of four clusters of one host, which do not know their names. */
@Isolated
class ClusterSearchIT {
    private static final String SITES = """
        {"name": "sites", "root": "a1/0",
         "clusters": [{"name": "a1", "nodes": 1}, {"name": "b1", "nodes": 1}, {"name": "a2", "nodes": 1}, {"name": "b2", "nodes": 1}],
         "links": {
           "a1-a2": {"mbps": 20, "delay_ms": 0.1}, "a2-a1": {"mbps": 20, "delay_ms": 0.1},
           "b1-b2": {"mbps": 20, "delay_ms": 0.1}, "b2-b1": {"mbps": 20, "delay_ms": 0.1},
           "a1-b1": {"mbps": 5, "delay_ms": 5}, "b1-a1": {"mbps": 5, "delay_ms": 5},
           "a1-b2": {"mbps": 5, "delay_ms": 5}, "b2-a1": {"mbps": 5, "delay_ms": 5},
           "a2-b1": {"mbps": 5, "delay_ms": 5}, "b1-a2": {"mbps": 5, "delay_ms": 5},
           "a2-b2": {"mbps": 5, "delay_ms": 5}, "b2-a2": {"mbps": 5, "delay_ms": 5}}}
        """;
    private static final String PAIR = """
        {"name": "pair", "root": "A/0",
         "clusters": [{"name": "A", "nodes": 2}, {"name": "B", "nodes": 2}],
         "links": {"A-B": {"mbps": 4, "delay_ms": 10}, "B-A": {"mbps": 8, "delay_ms": 10}}}
        """;
    private static final Pattern ROUND_TRIP = Pattern.compile("\"rtt_seconds\" : ([0-9.E-]+)");

    @TempDir
    Path folder;

    @BeforeEach
    void needsTestbed() throws Exception {
        assumeThat(TestbedRequirements.missing())
                .as("needs of a testbed that are missing")
                .isEmpty();
        Files.writeString(folder.resolve("sites.json"), SITES);
        Files.writeString(folder.resolve("pair.json"), PAIR);
        Files.writeString(folder.resolve("file"), "content");
        Files.createDirectory(folder.resolve("dest"));
    }

    @Test
    void sitesAreClustersWhereEachHostHasASubnet() throws Exception {
        String json = inEachNode("sites.json", "unset ROBBER_CLUSTER; %s plan -o json file dest/{rank}");
        assertThat(ReportSchema.problems(json, "plan.schema.json")).isEmpty();
        assertThat(json)
                .containsPattern(
                        "4 subnets, round trips of at most [0-9.]+ ms inside, at least (9|1[0-9])\\.. ms between");
        assertThat(clustersByRank(json)).containsExactly("A", "B", "A", "B");
    }

    @Test
    void subnetsAndNamesAreClustersIfThatIsAskedFor() throws Exception {
        String subnets = inEachNode("sites.json", "%s plan --cluster-by=subnet -o json file dest/{rank}");
        assertThat(clustersByRank(subnets)).containsExactly("A", "B", "C", "D");
        String names = inEachNode("sites.json", "%s plan --cluster-by=env -o json file dest/{rank}");
        assertThat(clustersByRank(names)).containsExactly("a1", "b1", "a2", "b2");
        String hosts = inEachNode("sites.json", "%s plan --cluster-by=rtt -o json file dest/{rank}");
        assertThat(clustersByRank(hosts)).containsExactly("A", "B", "A", "B");
    }

    /** Headers take less than a percent of the packets of 9,000 bytes. The rest is for TCP, and for a machine with other work. */
    @Test
    void ratesAndRoundTripsAreThoseOfTheNetwork() throws Exception {
        String json = inEachNode("pair.json", "%s probe --for=4s --save=" + folder + "/probed.json -o json");
        assertThat(ReportSchema.problems(json, "probe.schema.json")).isEmpty();
        Map<ClusterPair, LinkSpec> links = BandwidthFile.read(folder.resolve("probed.json"))
                .scenario()
                .phases()
                .get(0)
                .links();
        assertThat(links.get(new ClusterPair(0, 1)).bytesPerSecond()).isBetween(0.8 * 4e6, 1.05 * 4e6);
        assertThat(links.get(new ClusterPair(1, 0)).bytesPerSecond()).isBetween(0.8 * 8e6, 1.05 * 8e6);
        Matcher roundTrips = ROUND_TRIP.matcher(json);
        while (roundTrips.find()) {
            assertThat(Double.parseDouble(roundTrips.group(1))).isBetween(0.0195, 0.030);
        }
        assertThatCode(() -> BandwidthFile.read(folder.resolve("probed.json")).map())
                .doesNotThrowAnyException();
    }

    private static List<String> clustersByRank(String json) {
        return Pattern.compile("\"name\" : \"[^\"]*\",\\s*\"cluster\" : \"([^\"]*)\"")
                .matcher(json)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    /** Runs a command on each node of a testbed; returns what rank 0 has printed. */
    private String inEachNode(String scenario, String command) throws Exception {
        String line = command.formatted(Launched.script());
        try (Launched emulate = Launched.start(
                folder,
                Map.of(),
                "emulate",
                "--testbed",
                "--progress=none",
                "--size=1",
                scenario,
                // What it crosses is no multicast: a line of the protocol says that each node is done.
                "--exec=cd " + folder + "; " + line
                        + " >out.$ROBBER_RANK 2>err.$ROBBER_RANK || { cat err.$ROBBER_RANK >&2; exit 1; };"
                        + " if [ $ROBBER_RANK = 0 ]; then echo '{\"schema\":1,\"type\":\"started\"}'; fi;"
                        + " echo '{\"schema\":1,\"type\":\"done\",\"seconds\":1}'")) {
            assertThat(emulate.exitCode()).as(emulate.err() + emulate.out()).isIn(0, 5);
            assertThat(folder.resolve("out.0"))
                    .as(emulate.err() + emulate.out())
                    .isNotEmptyFile();
        }
        return Files.readString(folder.resolve("out.0"));
    }
}

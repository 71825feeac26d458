package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.robber.emulation.testbed.sandbox.TestbedRequirements;

/** {@code robber-cli emulate --testbed}: real processes, started by the command. Skipped where no testbed can be made. */
@Isolated
class EmulateTestbedIT {

    private static final String SCENARIO = """
        {"name": "pair", "root": "A/0",
         "clusters": [{"name": "A", "nodes": 1}, {"name": "B", "nodes": 2}],
         "links": {"A-B": {"mbps": 4, "delay_ms": 5}, "B-A": {"mbps": 4, "delay_ms": 5}}}
        """;

    @TempDir
    Path folder;

    @BeforeEach
    void makeScenario() throws IOException {
        assumeThat(TestbedRequirements.missing())
                .as("needs of a testbed that are missing")
                .isEmpty();
        Files.writeString(folder.resolve("pair.json"), SCENARIO);
    }

    @Test
    @Tag("smoke")
    void replicationsRunAndAreReported() throws Exception {
        try (Launched emulate =
                start("--size=4MB", "--strategy=robber,balanced", "--request-window=3", "--report=report")) {
            assertThat(emulate.exitCode()).as(emulate.err() + emulate.out()).isZero();
            assertThat(emulate.out().lines().filter(line -> line.startsWith("pair ")))
                    .hasSize(4);
            assertThat(emulate.err()).contains("pair: calibrated, 2 links off by at most ");
        }
        assertThat(folder.resolve("report/results.csv"))
                .content()
                .contains("\npair,testbed,robber,1,complete,,2,3,4000000,", "\npair,testbed,balanced,1,complete,,");
        assertThat(folder.resolve("report/report.html")).content().contains("A \u2192 B, MB/s");
    }

    @Test
    void anotherRootIsRefusedBeforeTheCalibration() throws Exception {
        Files.writeString(folder.resolve("pair.json"), SCENARIO.replace("\"A/0\"", "\"B/1\""));
        try (Launched emulate = start("--size=1MB")) {
            assertThat(emulate.exitCode()).isEqualTo(2);
            assertThat(emulate.err()).contains("name the root's cluster first").doesNotContain("calibrated");
        }
    }

    @Test
    void jobsBesideShareTheNetworkAndTheFirstIsMeasured() throws Exception {
        try (Launched emulate = start("--size=12MB", "--beside=2", "--report=beside")) {
            assertThat(emulate.exitCode()).as(emulate.err() + emulate.out()).isZero();
            assertThat(emulate.out()).containsPattern("\n  jobs beside it, MB/s: \\d+\\.\\d\\d, \\d+\\.\\d\\d\n");
        }
        assertThat(folder.resolve("beside/results.csv"))
                .content()
                .contains("pair,testbed,robber,1,complete,,2,3,12000000,");
        // The bytes are counted from the start of the measured job on. On a busy machine the others begin earlier.
        String json = Files.readString(folder.resolve("beside/results.json"));
        assertThat(json).containsPattern("\"beside\" : \\[ \\{\\s+\"seconds\" : \\d");
        assertThat(Long.parseLong(json.replaceAll("(?s).*?\"crossed_bytes\" : (\\d+).*", "$1")))
                .isGreaterThan(15_000_000);
    }

    @Test
    void aLineThatBreaksIsReportedWithItsRecovery() throws Exception {
        String phases = "[{'at': 3, 'links': {'A-B': {'mbps': 0}}}, {'at': 4, 'links': {'A-B': {'mbps': 4}}}]";
        Files.writeString(
                folder.resolve("pair.json"),
                SCENARIO.strip().replaceAll("}$", ", \"phases\": " + phases.replace('\'', '"') + "}"));
        try (Launched emulate = start("--size=20MB", "--report=broken")) {
            assertThat(emulate.exitCode()).as(emulate.err() + emulate.out()).isZero();
            assertThat(emulate.out()).contains("\n  A-B, good again at 4.0 s, was ");
        }
        assertThat(Files.readString(folder.resolve("broken/results.json")).replaceAll("\\s+", " "))
                .contains("\"recoveries\" : [ { \"from\" : \"A\", \"to\" : \"B\", \"harmed_seconds\" : 3.0,"
                        + " \"healed_seconds\" : 4.0, \"seconds\" : ");
        assertThat(folder.resolve("broken/report.html")).content().contains("A-B, good again at 4.0 s, was ");
    }

    /** A secret that the nodes cannot read would end them. */
    @Test
    void theConfigurationOfTheUserDoesNotReachTheNodes() throws Exception {
        Path configuration =
                Files.createDirectories(folder.resolve("config/robber")).resolve("config");
        Files.writeString(configuration, "secret-file = /nowhere/secret\n");
        try (Launched emulate = Launched.start(
                folder,
                Map.of("XDG_CONFIG_HOME", folder.resolve("config").toString()),
                "emulate",
                "--testbed",
                "--progress=none",
                "pair.json",
                "--size=1MB",
                "--beside=1")) {
            assertThat(emulate.exitCode()).as(emulate.err() + emulate.out()).isZero();
        }
    }

    @Test
    void commandsOfOthersSeeTheirPlaceAndTheirFailuresAreNamed() throws Exception {
        try (Launched emulate = start(
                "--size=4MB",
                "--seed=7",
                "--exec=echo $ROBBER_RANK of $ROBBER_SIZE in $ROBBER_CLUSTER: $ROBBER_DATA_SIZE, $ROBBER_SEED >&2;"
                        + " exit $ROBBER_RANK")) {
            assertThat(emulate.exitCode()).as(emulate.err() + emulate.out()).isEqualTo(5);
            assertThat(emulate.out())
                    .contains("incomplete: the command of rank 1 ended with code 1: 1 of 3 in B: 4000000, 7\n");
        }
    }

    @Test
    void whoIsNotRootIsToldSo() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (Launched test = asNobody("test", "-x", Launched.script().toString(), "-a", "-r", "pair.json")) {
            assumeThat(test.exitCode())
                    .as("whether no other user may read these files")
                    .isZero();
        }
        try (Launched emulate = asNobody(Launched.script().toString(), "emulate", "--testbed", "pair.json")) {
            assertThat(emulate.exitCode()).as(emulate.err() + emulate.out()).isEqualTo(5);
            assertThat(emulate.err())
                    .contains("robber-cli: error: the testbed cannot run here: it needs root to make network"
                            + " namespaces: run it with sudo\n");
        }
    }

    private Launched asNobody(String... command) throws IOException {
        return Launched.command(
                folder,
                Map.of(),
                ImmutableList.<String>builder()
                        .add("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
                        .add(command)
                        .build());
    }

    private Launched start(String... options) throws IOException {
        String[] arguments = new String[options.length + 4];
        arguments[0] = "emulate";
        arguments[1] = "--testbed";
        arguments[2] = "--progress=none";
        arguments[3] = "pair.json";
        System.arraycopy(options, 0, arguments, 4, options.length);
        return Launched.start(folder, Map.of(), arguments);
    }
}

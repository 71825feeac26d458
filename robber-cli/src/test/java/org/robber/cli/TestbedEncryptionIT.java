package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.io.BufferedReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioReader;
import org.robber.emulation.testbed.Testbed;
import org.robber.emulation.testbed.TestbedOptions;
import org.robber.emulation.testbed.program.NodeProgram;
import org.robber.emulation.testbed.replicate.ReplicateJob;
import org.robber.emulation.testbed.replicate.ReplicateRun;
import org.robber.emulation.testbed.sandbox.TestbedRequirements;

/** What {@code emulate --testbed --encrypt} promises: who sees the packets of a node does not see the data. */
@Isolated
class TestbedEncryptionIT {
    private static final Scenario SCENARIO = ScenarioReader.parse("pair", """
            {"name": "pair", "root": "A/0",
             "clusters": [{"name": "A", "nodes": 1}, {"name": "B", "nodes": 1}],
             "links": {"A-B": {"mbps": 4, "delay_ms": 5}, "B-A": {"mbps": 4, "delay_ms": 5}}}
            """);
    private static final int BYTES = 2_000_000;
    private static final int SAMPLES = BYTES / Long.BYTES;
    private static final long SEED = 3;

    @TempDir
    Path folder;

    @BeforeEach
    void needsATestbed() {
        assumeThat(TestbedRequirements.missing())
                .as("needs of a testbed that are missing")
                .isEmpty();
    }

    @Test
    void dataCrossInTheOpenWithoutASecret() throws Exception {
        assertThat(wordsSeen(false)).isGreaterThan(SAMPLES / 2);
    }

    @Test
    void dataCrossEncryptedWithOne() throws Exception {
        assertThat(wordsSeen(true)).isZero();
    }

    /** How many of the 8-byte words of the data a tap at the receiver finds in packets. */
    private int wordsSeen(boolean encrypts) throws Exception {
        Path packets = folder.resolve("packets-" + encrypts);
        try (Testbed testbed = Testbed.open(SCENARIO, TestbedOptions.forData(BYTES, SCENARIO.nodeCount()))) {
            ProcessBuilder command = testbed.command(
                    1,
                    new NodeProgram(
                            ImmutableList.of(
                                    System.getProperty("java.home") + "/bin/java",
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    PacketTap.class.getName(),
                                    packets.toString()),
                            ImmutableMap.of()));
            Process tap = command.redirectErrorStream(true).start();
            try (BufferedReader output = tap.inputReader(StandardCharsets.UTF_8)) {
                assertThat(output.readLine()).isEqualTo(PacketTap.READY);
                RunResult run = new ReplicateRun(testbed, job(encrypts)).run();
                assertThat(run.problem()).isEmpty();
            } finally {
                tap.destroyForcibly();
            }
        }
        byte[] seen = Files.readAllBytes(packets);
        assertThat(seen.length).as("bytes of packets").isGreaterThan(BYTES);
        return wordsIn(ByteBuffer.wrap(seen));
    }

    private static ReplicateJob job(boolean encrypts) {
        return new ReplicateJob(
                ImmutableList.of(Launched.script().toString()),
                "robber",
                ImmutableList.of(),
                SEED,
                BYTES,
                /* pieceBytes= */ 100_000,
                encrypts,
                /* jobsBeside= */ 0,
                Duration.ofMinutes(2));
    }

    /** Packets begin anywhere in the file, so words may, too. */
    private static int wordsIn(ByteBuffer packets) {
        SplittableRandom random = new SplittableRandom(SEED);
        Set<Long> words = new HashSet<>();
        for (int i = 0; i < SAMPLES; i++) {
            words.add(random.nextLong());
        }
        int found = 0;
        for (int at = 0; at + Long.BYTES <= packets.limit(); at++) {
            if (words.remove(packets.getLong(at))) {
                found++;
            }
        }
        return found;
    }
}

package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.robber.core.random.SeededRandom;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioReader;
import org.robber.emulation.testbed.Testbed;
import org.robber.emulation.testbed.TestbedOptions;
import org.robber.emulation.testbed.WanKind;
import org.robber.emulation.testbed.calibration.CalibrationAgent;
import org.robber.emulation.testbed.program.NodeProgram;
import org.robber.emulation.testbed.sandbox.TestbedRequirements;

/** {@code --nice} beside a connection of plain TCP, over a line of 10 MB/s with a round trip of 40 ms. */
@Isolated
class NiceIT {
    private static final String SCENARIO = """
            {"name": "shared", "root": "A/0",
             "clusters": [{"name": "A", "nodes": 1}, {"name": "B", "nodes": 1}],
             "links": {"A-B": {"mbps": 10, "delay_ms": 20}, "B-A": {"mbps": 10, "delay_ms": 20}}}
            """;
    private static final double LINE = 10e6;
    private static final int BYTES = 120_000_000;
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder;

    private Testbed testbed;
    private Path source;

    @BeforeEach
    void makeNetwork() throws IOException {
        assumeThat(TestbedRequirements.missing())
                .as("needs of a testbed that are missing")
                .isEmpty();
        byte[] bytes = new byte[BYTES];
        SeededRandom random = new SeededRandom(1);
        for (int i = 0; i < BYTES; i += Long.BYTES) {
            bytes[i] = (byte) random.nextLong();
        }
        source = Files.write(folder.resolve("data"), bytes);
        Scenario scenario = ScenarioReader.parse("shared", SCENARIO);
        testbed = Testbed.open(
                scenario,
                TestbedOptions.forData(
                        0,
                        scenario.nodeCount(),
                        new TestbedOptions.Choices(WanKind.TUN, "reno", /* reservesMemory= */ false)));
    }

    @AfterEach
    void removeNetwork() {
        if (testbed != null) {
            testbed.close();
        }
    }

    @Test
    void plainTcpKeepsItsRateAndTheJobTakesTheLineWhenItIsIdle() throws Exception {
        try (PlainStream plain = new PlainStream(testbed)) {
            double alone = plain.rate(4);
            assertThat(alone).isGreaterThan(0.9 * LINE);
            List<Launched> greedy = start();
            double besideGreedy = plain.rate(6);
            greedy.forEach(Launched::close);

            plain.rate(3);
            List<Launched> nice = start("--nice");
            try {
                double besideNice = plain.rate(8);
                assertThat(besideNice)
                        .as("beside --nice; %s beside a job without it", besideGreedy)
                        .isGreaterThan(0.85 * alone)
                        .isGreaterThan(besideGreedy * 1.15);
                plain.stop();
                long idleNanos = System.nanoTime();
                for (Launched node : nice) {
                    assertThat(node.exitCode()).as(node.err()).isZero();
                }
                double seconds = (System.nanoTime() - idleNanos) / 1e9;
                // with its way up, the check of the copy, and all that a busy machine adds
                assertThat(BYTES / seconds).as("rate on the idle line").isGreaterThan(0.4 * LINE);
                assertThat(Files.mismatch(source, folder.resolve("copy1/data"))).isEqualTo(-1);
            } finally {
                nice.forEach(Launched::close);
            }
        }
    }

    private List<Launched> start(String... options) throws Exception {
        List<Launched> nodes = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            List<String> command =
                    new ArrayList<>(List.of(Launched.script().toString(), "replicate", "--progress=json", "--restart"));
            command.addAll(List.of(options));
            command.addAll(List.of(source.toString(), folder.resolve("copy{rank}") + "/"));
            NodeProgram program = new NodeProgram(ImmutableList.copyOf(command), ImmutableMap.of());
            nodes.add(Launched.command(
                    folder,
                    testbed.environment(rank),
                    testbed.command(rank, program).command()));
        }
        nodes.get(0).awaitSaid("\"type\":\"started\"", LIMIT_NANOS);
        return nodes;
    }

    /** A connection of plain TCP from A to B that sends as fast as it can. */
    private static final class PlainStream implements AutoCloseable {
        private static final String NAME = "plain";

        private final Process sender;
        private final Process receiver;
        private final BufferedReader answers;

        PlainStream(Testbed testbed) throws IOException {
            receiver = agent(testbed, 1);
            answers = receiver.inputReader(StandardCharsets.US_ASCII);
            assertThat(answers.readLine()).isEqualTo("ready");
            sender = agent(testbed, 0);
            assertThat(sender.inputReader(StandardCharsets.US_ASCII).readLine()).isEqualTo("ready");
            tell(sender, "send " + NAME + " " + testbed.address(1) + " 1");
        }

        private static Process agent(Testbed testbed, int rank) throws IOException {
            ImmutableList<String> command = ImmutableList.of(
                    System.getProperty("java.home") + "/bin/java",
                    "-Xmx64m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    CalibrationAgent.class.getName());
            return testbed.command(rank, new NodeProgram(command, ImmutableMap.of()))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        }

        private static void tell(Process agent, String line) throws IOException {
            var out = agent.outputWriter(StandardCharsets.US_ASCII);
            out.write(line + "\n");
            out.flush();
        }

        /** What arrives in a second, over so many seconds from two seconds from now on: by then connections have found their rates. */
        double rate(int seconds) throws Exception {
            TimeUnit.SECONDS.sleep(2);
            long[] before = count();
            TimeUnit.SECONDS.sleep(seconds);
            long[] after = count();
            return (after[0] - before[0]) / ((after[1] - before[1]) / 1e9);
        }

        /** Bytes, and a clock. */
        private long[] count() throws IOException {
            tell(receiver, "count " + NAME);
            String[] words = answers.readLine().split(" ", -1);
            return new long[] {Long.parseLong(words[2]), Long.parseLong(words[3])};
        }

        void stop() throws IOException {
            tell(sender, "stop " + NAME);
        }

        @Override
        public void close() {
            sender.destroyForcibly();
            receiver.destroyForcibly();
        }
    }
}

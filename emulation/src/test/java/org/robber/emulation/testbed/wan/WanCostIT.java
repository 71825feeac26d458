package org.robber.emulation.testbed.wan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.robber.emulation.testbed.wan.TwoClusters.FREE;
import static org.robber.emulation.testbed.wan.TwoClusters.THERE;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.testbed.calibration.CalibrationAgent;
import org.robber.emulation.testbed.sandbox.TestbedRequirements;

/**
 * What the network costs, with plain TCP through it, and whether it can carry what docs/explanation/testbed.md says. Only on
 * request, with {@code -Dit.test=WanCostIT}: a machine that does something else beside it measures that.
 */
@Tag("measure")
class WanCostIT {

    private static final long SECONDS = 4;
    private static final double CAPACITY = 150e6;
    private static final double TOLERANCE = 0.03;

    /** What crossed, and what that took. */
    private record Cost(double bytesPerSecond, double cpuSecondsPerGigabyte, long dropped) {}

    @Test
    void carriesWhatItMustAtEveryRate() throws Exception {
        assumeTrue(
                TestbedRequirements.missing().isEmpty(),
                () -> "requirements of a testbed are missing: " + TestbedRequirements.missing());
        assertThat(measure(FREE, 0, 4).bytesPerSecond()).isGreaterThan(CAPACITY);
        for (double rate : new double[] {0.8e6, 2e6, 10e6, 100e6}) {
            for (int connections : new int[] {1, 16}) {
                assertThat(measure(rate, 10_000_000, connections).bytesPerSecond())
                        .isBetween((1 - TOLERANCE) * rate, (1 + TOLERANCE) * rate);
            }
        }
    }

    private static Cost measure(double rate, long delayNanos, int connections) throws Exception {
        LinkSpec link = new LinkSpec(rate, delayNanos, 0);
        try (TwoClusters clusters = new TwoClusters(FREE, link, link)) {
            Process receiver = clusters.java("n1", CalibrationAgent.class, List.of());
            Process sender = clusters.java("n0", CalibrationAgent.class, List.of());
            try (BufferedReader received = receiver.inputReader(StandardCharsets.US_ASCII);
                    BufferedReader sent = sender.inputReader(StandardCharsets.US_ASCII);
                    BufferedWriter commands = sender.outputWriter(StandardCharsets.US_ASCII)) {
                assertThat(received.readLine()).isEqualTo("ready");
                assertThat(sent.readLine()).isEqualTo("ready");
                commands.write("send x 10.2.0.1 " + connections + "\n");
                commands.flush();
                // for connections to find their rate
                TimeUnit.SECONDS.sleep(2);
                Cost cost = cost(clusters.wan());
                System.out.printf(
                        Locale.ROOT,
                        "%8.1f MB/s %3d connections: %8.3f MB/s, %6.2f CPU s/GB, %d dropped%n",
                        rate / 1e6,
                        connections,
                        cost.bytesPerSecond() / 1e6,
                        cost.cpuSecondsPerGigabyte(),
                        cost.dropped());
                return cost;
            }
        }
    }

    private static Cost cost(TunWan wan) throws InterruptedException, IOException {
        ProcessHandle process = process();
        WanCounts.Link before = wan.counts().links().get(THERE);
        Duration cpuBefore = process.info().totalCpuDuration().orElseThrow();
        long start = System.nanoTime();
        TimeUnit.SECONDS.sleep(SECONDS);
        WanCounts.Link after = wan.counts().links().get(THERE);
        long nanos = System.nanoTime() - start;
        Duration cpu = process.info().totalCpuDuration().orElseThrow().minus(cpuBefore);
        long bytes = after.deliveredBytes() - before.deliveredBytes();
        return new Cost(
                bytes * 1e9 / nanos, (double) cpu.toNanos() / bytes, after.droppedPackets() - before.droppedPackets());
    }

    private static ProcessHandle process() {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> process.info().command().orElse("").endsWith("java")
                        && process.info().commandLine().orElse("").contains(WanMain.class.getName()))
                .findFirst()
                .orElseThrow();
    }
}

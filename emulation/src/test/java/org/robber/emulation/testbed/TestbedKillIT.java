package org.robber.emulation.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRuns;
import org.robber.emulation.testbed.program.StartSignal;
import org.robber.emulation.testbed.sandbox.TestbedException;

/** Nothing of a testbed stays, however the process ends that made it; needs root. */
class TestbedKillIT {

    /** Few in every build; more on request. */
    private static final int KILLS = SeededRuns.count(2);

    private static final String MARK = "TESTBED_KILL_MARK";

    /** Long enough for a testbed to be made, used, closed and begun anew. */
    private static final int LATEST_MILLIS = 5000;

    private static final long GONE_SECONDS = 20;

    @BeforeEach
    void needsRoot() {
        Networks.assumePossible();
    }

    @Test
    void nothingStaysOfAProcessThatIsKilledAtAnyMoment() throws Exception {
        long seed = SeededRuns.firstSeed();
        Random random = new Random(seed);
        for (int kill = 0; kill < KILLS; kill++) {
            int afterMillis = random.nextInt(LATEST_MILLIS);
            boolean polite = random.nextInt(4) == 0;
            boolean calibrates = kill % 2 == 1;
            String mark = UUID.randomUUID().toString();
            Process process = start(mark, calibrates);
            String said;
            try {
                boolean ended = process.waitFor(afterMillis, TimeUnit.MILLISECONDS);
                assertThat(ended).as("it runs until it is killed").isFalse();
            } finally {
                said = end(process, polite);
            }
            assertThat(leftover(mark))
                    .as(
                            "kill %s after %s ms, polite: %s, having said %s; -Drobber.seed=%s",
                            kill, afterMillis, polite, said, seed)
                    .isEmpty();
        }
        assertThat(devices()).noneMatch(name -> name.startsWith("wan"));
        assertThat(Path.of("/run/netns/r0")).doesNotExist();
    }

    @Test
    void aNetworkThatIsKilledEndsTheRunAndNothingStays() throws Exception {
        try (Testbed testbed = Networks.open(
                Networks.of("{'name':'A','nodes':1},{'name':'B','nodes':1}", "'A-B':{'mbps':5,'delay_ms':1}"))) {
            // of all processes, programs see those of their testbed only
            ExecCommand command = Networks.command("for process in /proc/[0-9]*; do"
                    + " if tr '\\0' ' ' <$process/cmdline | grep -q 'wan[.]WanMain';"
                    + " then kill -KILL ${process#/proc/}; fi; done; exec sleep 500");

            assertThatThrownBy(() ->
                            testbed.run(command.programs(testbed), StartSignal.eventOrData(), Duration.ofSeconds(60)))
                    .isInstanceOf(TestbedException.class)
                    .hasMessageContaining("the wide-area network is gone");
        }
        assertThat(devices()).noneMatch(name -> name.startsWith("wan"));
    }

    private static Process start(String mark, boolean calibrates) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                KilledTestbed.class.getName());
        if (calibrates) {
            builder.command().add("calibrates");
        }
        builder.environment().put(MARK, mark);
        return builder.redirectErrorStream(true).start();
    }

    private static String end(Process process, boolean polite) throws IOException, InterruptedException {
        // by its handle: the process itself would close its output, which is still to be read
        ProcessHandle handle = process.toHandle();
        assertThat(polite ? handle.destroy() : handle.destroyForcibly()).isTrue();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }

    /** Processes that still run a while after; the mark is in the environment of all that the killed one has started. */
    private static List<String> leftover(String mark) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(GONE_SECONDS);
        List<ProcessHandle> left = marked(mark);
        while (!left.isEmpty() && System.nanoTime() < deadline) {
            for (ProcessHandle process : left) {
                var unused = process.onExit()
                        .completeOnTimeout(process, 100, TimeUnit.MILLISECONDS)
                        .join();
            }
            left = marked(mark);
        }
        return left.stream()
                .map(process ->
                        process.pid() + " " + process.info().commandLine().orElse("?"))
                .toList();
    }

    private static List<ProcessHandle> marked(String mark) {
        List<ProcessHandle> marked = new ArrayList<>();
        ProcessHandle.allProcesses().forEach(process -> {
            try {
                String environment =
                        Files.readString(Path.of("/proc/" + process.pid() + "/environ"), StandardCharsets.ISO_8859_1);
                if (environment.contains(mark)) {
                    marked.add(process);
                }
            } catch (IOException e) {
                // it has ended meanwhile
                assertThat(process.pid()).isPositive();
            }
        });
        return marked;
    }

    private static List<String> devices() throws IOException {
        try (Stream<Path> devices = Files.list(Path.of("/sys/class/net"))) {
            return devices.map(device -> device.getFileName().toString()).toList();
        }
    }
}

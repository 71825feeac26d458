package org.robber.emulation.testbed.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.LinkSpec;
import org.robber.emulation.scenario.Phase;
import org.robber.emulation.testbed.wan.Wan;

/** With programs on this machine, in a network that only counts. */
class ProgramSupervisorTest {

    private static final ClusterPair PAIR = new ClusterPair(0, 1);
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final CountingWan wan = new CountingWan();
    private ReceivedByteCounters counters = new ReceivedByteCounters(List.of());

    @BeforeEach
    void makeCounter() throws IOException {
        Path counter = Files.writeString(folder.resolve("counter"), "1000\n");
        counters = new ReceivedByteCounters(List.of(counter));
    }

    @Test
    void phasesCountFromTheLineThatTellsOfTheStart() throws Exception {
        // what has crossed plays no part
        wan.bytesPerCall = 1 << 20;
        long begin = System.nanoTime();

        ProgramRun run = conduct(
                StartSignal.event(),
                LONG,
                "sleep 0.4; echo '{\"schema\": 1, \"type\": \"started\"}'; sleep 1.4; echo said >&2",
                "sleep 0.1");

        assertThat(run.started()).isTrue();
        assertThat(run.exits()).allMatch(exit -> exit.exitCode() == 0);
        assertThat(wan.applied).containsExactly(300_000_000L, 600_000_000L);
        // 300 and 600 ms after the line, or later: a busy machine may be late with both.
        assertThat(wan.appliedNanos.get(0) - begin).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(700));
        assertThat(wan.appliedNanos.get(1) - begin).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(1000));
        assertThat(run.nanos()).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(800));
        assertThat(run.exits())
                .containsExactly(
                        new NodeExit(0, 0, "{\"schema\": 1, \"type\": \"started\"}\n", "said\n", ImmutableList.of()),
                        new NodeExit(1, 0, "", "", ImmutableList.of()));
        assertThat(run.timeline().linkBytes().get(PAIR)).hasSizeGreaterThan(3).startsWith(0L);
        assertThat(run.timeline().nodeBytes())
                .hasSize(1)
                .allSatisfy(totals -> assertThat(totals).containsOnly(0L));
    }

    @Test
    void withoutALineThePhasesCountFromTheFirstData() throws Exception {
        wan.bytesPerCall = 300_000;

        ProgramRun run = conduct(StartSignal.eventOrData(), LONG, "sleep 1.2");

        assertThat(run.started()).isTrue();
        assertThat(wan.applied).containsExactly(300_000_000L, 600_000_000L);
        assertThat(run.crossedBytes().get(PAIR))
                .as("the bytes that told of the start are data, too")
                .isGreaterThan(run.timeline().linkBytes().get(PAIR).stream()
                                .mapToLong(bytes -> bytes)
                                .max()
                                .orElseThrow()
                        + (1 << 20));
    }

    @Test
    void aFailureIsNamedAlsoIfOthersWaitUntilTheLimit() throws Exception {
        ProgramRun run =
                conduct(StartSignal.eventOrData(), Duration.ofMillis(500), "sleep 600", "echo boom >&2; exit 7");

        assertThat(run.inTime()).isFalse();
        assertThat(run.firstFailure()).hasValueSatisfying(exit -> {
            assertThat(exit.rank()).isEqualTo(1);
            assertThat(exit.exitCode()).isEqualTo(7);
            assertThat(exit.lastError()).isEqualTo("boom");
        });
    }

    @Test
    void theFirstFailureIsToldAtOnceAndAloneWhileOthersRun() throws Exception {
        Path told = folder.resolve("told");
        // the first program ends only once the failure of the second is told
        ProgramRun run = conduct(
                StartSignal.event(),
                LONG,
                "until [ -s " + told + " ]; do sleep 0.05; done; exit 3",
                "echo boom >&2; exit 7");

        assertThat(run.inTime()).isTrue();
        assertThat(told).hasContent("1 7 boom");
    }

    @Test
    void aReportOfTheEndIsKeptWhateverFollows() throws Exception {
        String done = "{\"type\": \"done\", \"seconds\": 0.5}";
        ProgramRun run = conduct(
                StartSignal.event(), LONG, "echo '" + done + "'; yes 'something else' | head -c 1000000; echo end");

        assertThat(run.exits()).singleElement().satisfies(exit -> {
            assertThat(exit.output()).endsWith("end\n").doesNotContain("done");
            assertThat(exit.done()).containsExactly(done);
        });
    }

    @Test
    void withoutAStartThereIsOnePhase() throws Exception {
        ProgramRun run = conduct(StartSignal.event(), LONG, "exit 3", "true");

        assertThat(run.started()).isFalse();
        assertThat(run.inTime()).isTrue();
        assertThat(run.exits()).anyMatch(exit -> exit.exitCode() != 0);
        assertThat(run.exits()).extracting(NodeExit::exitCode).containsExactly(3, 0);
        assertThat(wan.applied).isEmpty();
    }

    @Test
    void programsThatTakeTooLongAreStoppedWithAllTheyStarted() throws Exception {
        Path pid = folder.resolve("pid");

        ProgramRun run = conduct(
                StartSignal.eventOrData(),
                Duration.ofMillis(500),
                "sh -c 'sleep 600 & echo $! >" + pid + "; wait'; exit 7",
                "exit 0");

        assertThat(run.inTime()).isFalse();
        assertThat(run.exits()).extracting(NodeExit::exitCode).containsExactly(NodeExit.STOPPED, 0);
        Optional<ProcessHandle> sleeper =
                ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()));
        assertThat(sleeper)
                .satisfiesAnyOf(
                        none -> assertThat(none).isEmpty(),
                        left -> assertThat(left.orElseThrow().onExit()).succeedsWithin(Duration.ofSeconds(10)));
    }

    private ProgramRun conduct(StartSignal start, Duration limit, String... scripts) throws InterruptedException {
        List<ProcessBuilder> commands = new ArrayList<>();
        for (String script : scripts) {
            // as in the testbed, the program is a child of what entered its namespace
            commands.add(new ProcessBuilder("sh", "-c", "sh -c \"$0\"; exit $?", script));
        }
        List<Phase> phases = List.of(phase(0), phase(300_000_000), phase(600_000_000));
        return new ProgramSupervisor(phases, wan, counters).run(commands, start, limit, this::tell);
    }

    private void tell(NodeExit exit) {
        try {
            Files.writeString(
                    folder.resolve("told"),
                    exit.rank() + " " + exit.exitCode() + " " + exit.lastError(),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Phase phase(long atNanos) {
        return new Phase(atNanos, ImmutableSortedMap.of(PAIR, new LinkSpec(1e6, 0, 0)));
    }

    private static final class CountingWan implements Wan {
        private final List<Long> applied = new ArrayList<>();
        private final List<Long> appliedNanos = new ArrayList<>();
        private long bytesPerCall;
        private long bytes;

        @Override
        public void apply(Phase phase) {
            applied.add(phase.atNanos());
            appliedNanos.add(System.nanoTime());
        }

        @Override
        public ImmutableSortedMap<ClusterPair, Long> crossedBytes() {
            bytes += bytesPerCall;
            return ImmutableSortedMap.of(PAIR, bytes);
        }

        @Override
        public void close() {
            throw new AssertionError("others need it");
        }
    }
}

package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.robber.cli.SoakHarm.Kind;
import org.robber.cli.SoakHarm.Moment;

/**
 * Random jobs as real processes, some of them harmed: every one ends in time and leaves nothing behind, everyone who lives has
 * the right bytes, and the job says who has not.
 *
 * <p>{@code -Drobber.seed=} repeats the job of a seed, {@code -Drobber.soak.runs=200} runs more: those of the seeds that
 * follow.
 */
class SoakIT {

    /** A build runs the same jobs each time; new ones are for long runs, which begin elsewhere by {@code -Drobber.first.seed}. */
    private static final long FIRST_SEED = Long.getLong("robber.first.seed", 20_261_121L);

    private static final int DEFAULT_RUNS = 4;
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long END_AFTER_HARM_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** A node that is killed before it has found the others is missed when this has passed, not sooner. */
    private static final int SHORT_CONNECT_SECONDS = 15;

    private static final int CONNECT_SECONDS = 50;

    static LongStream seeds() {
        Long wanted = Long.getLong("robber.seed");
        int runs = Integer.getInteger("robber.soak.runs", wanted == null ? DEFAULT_RUNS : 1);
        long first = wanted == null ? FIRST_SEED : wanted;
        return LongStream.range(first, first + runs);
    }

    /** The first use of the launcher builds, and makes an archive of classes; that is the business of other tests. */
    @BeforeAll
    static void warmUp(@TempDir Path folder) throws Exception {
        try (Launched version = Launched.start(folder, Map.of(), "--version")) {
            assertThat(version.exitCode()).as(version.err()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyoneHasTheRightBytesOrTheJobSaysWhoHasNot(long seed, @TempDir(cleanup = CleanupMode.ALWAYS) Path folder)
            throws Exception {
        SoakJob job = SoakJob.of(seed);
        long start = System.nanoTime();
        boolean loneStart = !job.isLocal()
                && job.harm().moment() == Moment.STARTED
                && job.harm().kind() != Kind.NONE;
        int connectSeconds = loneStart ? SHORT_CONNECT_SECONDS : CONNECT_SECONDS;
        try (SoakRun run = SoakRun.start(job, folder, connectSeconds)) {
            try {
                boolean harmed = job.harm().kind() != Kind.NONE && run.harm(END_NANOS);
                long harmedAt = System.nanoTime();
                // the others go on to the end, or to find out; who has terminated a job has no such patience
                boolean terminated = harmed && job.harm().kind() == Kind.TERMINATE && !loneStart;
                long limit = terminated ? END_AFTER_HARM_NANOS : END_NANOS;
                assertThat(run.awaitEnd(limit)).as("has ended in time").isTrue();
                double seconds = (System.nanoTime() - (harmed ? harmedAt : start)) / 1e9;
                assertThat(run.processes()).as("processes left").isEmpty();
                String outcome = new SoakVerdict(job, run, harmed).check();
                String said = new SoakReport(job, run, run.report()).check(harmed);
                System.out.println(
                        String.format(Locale.ROOT, "soak: %s: %s after %.1f s, %s", job, outcome, seconds, said));
            } catch (AssertionError e) {
                throw new AssertionError(
                        job + "\nto repeat: -Drobber.seed=" + seed + "\n" + e.getMessage() + "\n" + run.story(), e);
            }
        }
    }
}

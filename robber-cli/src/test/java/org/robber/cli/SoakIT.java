package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.robber.cli.SoakHarm.Kind;
import org.robber.cli.SoakHarm.Moment;
import org.robber.core.random.SeededRuns;

/**
 * Random jobs as real processes, some of them with faults: every job ends in time and leaves nothing behind, every node that lives has
 * the right bytes, and the job says who has not.
 *
 * <p>{@code -Drobber.seed=} repeats the job of a seed, {@code -Drobber.scale=100} runs 200: those of the seeds that
 * follow. A job that fails does not end the soak: the last line names the seeds of all that have.
 */
class SoakIT {

    /**
     * A build runs the same jobs each time: a cut, none, a kill, flipped bits. New ones are for long runs, which begin elsewhere
     * by {@code -Drobber.first.seed}.
     */
    private static final long FIRST_SEED = SeededRuns.firstSeed(20_262_762L);

    private static final int RUNS = SeededRuns.count(2);
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long END_AFTER_HARM_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** A node that is killed before it has found the others is missed when this has passed, not sooner. */
    private static final int SHORT_CONNECT_SECONDS = 15;

    private static final int CONNECT_SECONDS = 50;

    private static final int DAMAGED = 7;

    private static final SoakTally TALLY = new SoakTally();

    static LongStream seeds() {
        return LongStream.range(FIRST_SEED, FIRST_SEED + RUNS);
    }

    /** The first use of the launcher builds, and makes an archive of classes; that is the business of other tests. */
    @BeforeAll
    static void warmUp(@TempDir Path folder) throws Exception {
        try (Launched version = Launched.start(folder, Map.of(), "--version")) {
            assertThat(version.exitCode()).as(version.err()).isZero();
        }
    }

    @AfterAll
    static void sayWhatBecameOfAll() {
        System.out.println(TALLY);
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
                boolean harmed = job.harm().kind() != Kind.NONE && new SoakBlow(job, run).strike(END_NANOS);
                long harmedAt = System.nanoTime();
                // the others go on to the end, or to find out; who has terminated a job has no such patience
                boolean terminated = harmed && job.harm().kind() == Kind.TERMINATE && !loneStart;
                long limit = terminated ? END_AFTER_HARM_NANOS : END_NANOS;
                assertThat(run.awaitEnd(limit)).as("has ended in time").isTrue();
                double seconds = (System.nanoTime() - (harmed ? harmedAt : start)) / 1e9;
                assertThat(run.processes()).as("processes left").isEmpty();
                String outcome = new SoakVerdict(job, run, harmed).check()
                        + (run.spoilt().isEmpty() ? "" : " in spite of " + String.join(", ", run.spoilt()));
                String said = new SoakReport(job, run, run.report()).check(harmed);
                if (job.harm().kind() == Kind.FLIP && harmed) {
                    outcome += assertFoundAndRepaired(job, run);
                }
                System.out.println(
                        String.format(Locale.ROOT, "soak: %s: %s after %.1f s, %s", job, outcome, seconds, said));
                TALLY.add(job, harmed);
            } catch (AssertionError e) {
                // At once, since a long soak may be stopped.
                String story = job + "\n" + e.getMessage() + "\n" + run.story();
                System.out.println("soak: FAILED: " + story);
                TALLY.addFailed(job);
                throw new AssertionError(story, e);
            }
        }
    }

    /** Bits that flipped on the disk of a node are found by verify, and can be repaired. */
    private static String assertFoundAndRepaired(SoakJob job, SoakRun run) throws Exception {
        int victim = job.harm().victims().get(0);
        run.verify(false);
        assertThat(run.awaitEnd(END_NANOS)).as("verify has ended in time").isTrue();
        int found = run.exitCode(0);
        assertThat(found).as("exit code of verify").isIn(0, DAMAGED);
        if (found == 0) {
            Trees.assertSame(run.source(), run.copy(victim));
            return ", nothing of which was left";
        }
        run.verify(true);
        assertThat(run.awaitEnd(END_NANOS)).as("repair has ended in time").isTrue();
        assertThat(run.exitCode(0)).as("exit code of repair").isZero();
        for (int rank = 0; rank < job.nodes(); rank++) {
            SoakVerdict.assertPartOf(run.source(), run.copy(rank));
        }
        return ", found and repaired";
    }
}

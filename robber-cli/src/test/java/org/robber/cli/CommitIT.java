package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.robber.cli.SoakHarm.Kind;
import org.robber.cli.SoakHarm.Moment;
import org.robber.core.random.SeededRuns;

/**
 * Nodes that are killed around the moment in which copies get their final names: whatever is shown is whole, and what exit
 * codes and report say of each node is true.
 *
 * <p>{@code -Drobber.seed=} repeats the job of a seed, {@code -Drobber.scale=20} runs 40.
 */
@Execution(ExecutionMode.CONCURRENT)
class CommitIT {
    /** A build runs the same jobs each time; new ones are for long runs, which begin elsewhere by {@code -Drobber.first.seed}. */
    private static final long FIRST_SEED = SeededRuns.firstSeed(20_261_121L);

    private static final int RUNS = SeededRuns.count(2);
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int CONNECT_SECONDS = 50;

    static LongStream seeds() {
        return LongStream.range(FIRST_SEED, FIRST_SEED + RUNS);
    }

    @ParameterizedTest
    @Tag("smoke")
    @MethodSource("seeds")
    void whatIsShownIsWholeAndWhatIsSaidIsTrue(long seed, @TempDir(cleanup = CleanupMode.ALWAYS) Path folder)
            throws Exception {
        SoakJob job = job(new SplittableRandom(seed), seed);
        try (SoakRun run = SoakRun.start(job, folder, CONNECT_SECONDS)) {
            try {
                boolean harmed = new SoakBlow(job, run).strike(END_NANOS);
                assertThat(run.awaitEnd(END_NANOS)).as("has ended in time").isTrue();
                assertThat(run.processes()).as("processes left").isEmpty();
                String outcome = new SoakVerdict(job, run, harmed).check();
                String said = new SoakReport(job, run, run.report()).check(harmed);
                System.out.println("commit: " + job + ": " + outcome + ", " + said);
            } catch (AssertionError e) {
                throw new AssertionError(
                        job + "\nto repeat: -Drobber.seed=" + seed + "\n" + e.getMessage() + "\n" + run.story(), e);
            }
        }
    }

    /** A job whose copies take a while to put in place: entry by entry, or as a whole. */
    private static SoakJob job(SplittableRandom random, long seed) {
        List<String> clusters = new ArrayList<>();
        int nodes = 2 + random.nextInt(4);
        for (int rank = 0; rank < nodes; rank++) {
            clusters.add(rank % 2 == 0 ? "A" : "B");
        }
        boolean local = nodes % 2 == 0 && random.nextBoolean();
        boolean early = random.nextInt(4) == 0;
        SoakHarm harm = new SoakHarm(
                Kind.KILL,
                List.of(random.nextInt(nodes)),
                early ? Moment.WRITTEN : Moment.SHOWN,
                random.nextInt(nodes),
                0.95,
                random.nextInt(8_000));
        SoakSource source = new SoakSource(seed, random.nextInt(4) != 0, 1 << 20, 2000);
        boolean slash = source.isTree() && random.nextBoolean();
        List<String> sorted = local ? clusters.stream().sorted().toList() : clusters;
        return new SoakJob(seed, local, sorted, source, slash, List.of(), harm);
    }
}

package org.robber.transport.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.robber.CallsOverLosses;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;

/**
 * Random calls against a sequential model, as {@link org.robber.RandomCollectivesTest} makes them, while up to two nodes are killed. The others learn who is
 * lost and go on with right results. In half of the jobs, lines between clusters are long. {@code -Drobber.scale=125} runs 1,000 jobs.
 */
class RandomLossesTest {
    private static final int JOBS = 8;
    private static final int CASES_AFTER = 5;
    private static final int CASES_WITHOUT_LOSSES = 25;
    private static final int MOST_STREAM_BYTES = 4 << 20;
    private static final int MOST_CLUSTERS = 4;
    private static final int MOST_NODES_PER_CLUSTER = 3;
    private static final Duration LATEST_KILL = Duration.ofMillis(400);

    /**
     * @param longLines whether nodes take lines between clusters for long
     * @param victims whom to kill, one after the other
     * @param delaysNanos how long to wait before each kill
     */
    private record Plan(
            List<Integer> clusterSizes,
            boolean longLines,
            List<Integer> victims,
            List<Long> delaysNanos,
            long callSeed) {

        static Plan draw(SeededRandom random) {
            List<Integer> sizes = new ArrayList<>();
            for (int i = random.nextInt(MOST_CLUSTERS); i >= 0; i--) {
                sizes.add(1 + random.nextInt(MOST_NODES_PER_CLUSTER));
            }
            // Somebody has to be left beside rank 0.
            int nodes = sizes.stream().mapToInt(Integer::intValue).sum();
            while (nodes < 4) {
                sizes.add(1);
                nodes++;
            }
            int kills = random.nextInt(3);
            int[] order = random.permutation(nodes - 1);
            List<Integer> victims = new ArrayList<>();
            List<Long> delays = new ArrayList<>();
            for (int i = 0; i < kills; i++) {
                boolean rankZero = i == kills - 1 && random.nextInt(8) == 0;
                victims.add(rankZero ? 0 : 1 + order[i]);
                delays.add((long) (random.nextDouble() * LATEST_KILL.toNanos()));
            }
            return new Plan(sizes, random.nextBoolean(), victims, delays, random.nextLong());
        }

        List<Integer> survivors() {
            int nodes = clusterSizes.stream().mapToInt(Integer::intValue).sum();
            return IntStream.range(0, nodes)
                    .boxed()
                    .filter(rank -> !victims.contains(rank))
                    .toList();
        }
    }

    @Test
    @Timeout(value = 4, unit = TimeUnit.HOURS)
    void survivorsGoOnWithRightResults() {
        SeededRuns.run(JOBS, Plan::draw, RandomLossesTest::run);
    }

    private static void run(Plan plan) throws Exception {
        List<List<Integer>> left = new ArrayList<>();
        List<List<Integer>> losses = new ArrayList<>();
        int[] sizes = plan.clusterSizes.stream().mapToInt(Integer::intValue).toArray();
        int nodes = Arrays.stream(sizes).sum();
        for (int rank = 0; rank < nodes; rank++) {
            left.add(List.of());
            losses.add(new ArrayList<>());
        }
        try (MortalJob job = plan.longLines ? MortalJob.withLongLines(sizes) : new MortalJob(sizes)) {
            CountDownLatch begun = new CountDownLatch(nodes);
            job.start(world -> {
                // A node that dies before rank 0 has made a call ends the job.
                world.barrier();
                begun.countDown();
                int rank = world.rank();
                CallsOverLosses calls = new CallsOverLosses(
                        world,
                        plan.callSeed,
                        plan.victims.size(),
                        plan.victims.isEmpty() ? CASES_WITHOUT_LOSSES : CASES_AFTER,
                        MOST_STREAM_BYTES,
                        losses.get(rank)::addAll);
                if (plan.victims.contains(rank)) {
                    Throwable unused = catchThrowable(calls::live);
                } else {
                    left.set(rank, calls.live());
                }
            });
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < plan.victims.size(); i++) {
                LockSupport.parkNanos(plan.delaysNanos.get(i));
                job.kill(plan.victims.get(i));
            }
            List<Integer> expected = plan.victims.contains(0) ? List.of() : plan.survivors();
            for (int rank : plan.survivors()) {
                assertThat(job.end(rank)).as("rank %s", rank).isNull();
                assertThat(left.get(rank)).as("left of rank %s", rank).isEqualTo(expected);
                assertThat(plan.victims).as("losses of rank %s", rank).containsAll(losses.get(rank));
            }
        }
    }
}

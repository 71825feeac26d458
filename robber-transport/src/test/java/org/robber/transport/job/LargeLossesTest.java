package org.robber.transport.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.robber.Communicator;
import org.robber.Op;
import org.robber.PatternStorage;
import org.robber.RobberException;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;

/**
 * Random calls of more than 2 GiB while a node is killed. A call that succeeds has brought every byte to its place. The nodes that are left make the call
 * again. {@code -Drobber.scale=10} runs 20 jobs.
 */
@Tag("full")
class LargeLossesTest {
    private static final List<Call> CALLS = List.of(Call.values());
    private static final int JOBS = 2;
    private static final int NODES = 4;
    private static final int[] CLUSTER_SIZES = {2, 2};
    private static final long MORE_THAN_TWO_GIB = (2L << 30) + 12_345_679;
    private static final Duration LATEST_KILL = Duration.ofSeconds(6);
    private static final long LIMIT_SECONDS = 600;
    private static final long STEP = 31;
    private static final long SEED = 7;

    private enum Call {
        BCAST,
        GATHER,
        SCATTER,
        ALL_GATHER,
        ALL_TO_ALL,
        ALL_REDUCE
    }

    /**
     * @param victim rank of the node to kill
     * @param delayNanos how long to wait before that
     * @param root rank in the group that makes the call
     */
    private record Plan(Call call, int root, int victim, long delayNanos) {
        static Plan draw(SeededRandom random) {
            return new Plan(
                    CALLS.get(random.nextInt(CALLS.size())),
                    random.nextInt(NODES - 1),
                    1 + random.nextInt(NODES - 1),
                    (long) (random.nextDouble() * LATEST_KILL.toNanos()));
        }
    }

    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    void survivorsMakeTheCallAgain() {
        SeededRuns.run(JOBS, Plan::draw, LargeLossesTest::run);
    }

    private static void run(Plan plan) throws Exception {
        try (MortalJob job = new MortalJob(CLUSTER_SIZES)) {
            CountDownLatch begun = new CountDownLatch(NODES);
            job.start(world -> {
                // A node that dies before rank 0 has made a call ends the job.
                world.barrier();
                begun.countDown();
                Throwable loss = catchThrowable(() -> callUntilItFails(plan, world));
                if (world.rank() != plan.victim) {
                    assertThat(loss)
                            .isInstanceOfSatisfying(
                                    RobberException.class,
                                    failure -> assertThat(failure.ranks()).containsExactly(plan.victim));
                    call(plan, world.shrink());
                }
            });
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
            LockSupport.parkNanos(plan.delayNanos);
            job.kill(plan.victim);
            for (int rank = 0; rank < NODES; rank++) {
                assertThat(rank == plan.victim ? null : job.end(rank, LIMIT_SECONDS))
                        .as("rank %s", rank)
                        .isNull();
            }
        }
    }

    private static void callUntilItFails(Plan plan, Communicator nodes) {
        while (true) {
            call(plan, nodes);
        }
    }

    /** The storage compares each write with what has to be there. This checks that everything was written. */
    private static void call(Plan plan, Communicator nodes) {
        int size = nodes.size();
        boolean isRoot = nodes.rank() == plan.root;
        // All parts together have more than 2 GiB, and each begins where the pattern does.
        PatternStorage part =
                data((MORE_THAN_TWO_GIB / size / PatternStorage.PERIOD_BYTES + 1) * PatternStorage.PERIOD_BYTES);
        PatternStorage parts = data(part.sizeBytes() * size);
        switch (plan.call) {
            case BCAST -> {
                PatternStorage data = data(MORE_THAN_TWO_GIB);
                nodes.bcast(data, plan.root);
                assertWritten(data, !isRoot);
            }
            case GATHER -> {
                nodes.gather(part, isRoot ? parts : null, plan.root);
                assertWritten(parts, isRoot);
            }
            case SCATTER -> {
                nodes.scatter(isRoot ? parts : null, part, plan.root);
                assertWritten(part, true);
            }
            case ALL_GATHER -> {
                nodes.allGather(part, parts);
                assertWritten(parts, true);
            }
            case ALL_TO_ALL -> {
                PatternStorage in = data(parts.sizeBytes());
                nodes.allToAll(parts, in);
                assertWritten(in, true);
            }
            case ALL_REDUCE -> {
                PatternStorage sum = new PatternStorage(MORE_THAN_TWO_GIB, STEP * size, SEED * size);
                nodes.allReduce(data(MORE_THAN_TWO_GIB), sum, Op.SUM);
                assertWritten(sum, true);
            }
        }
    }

    private static PatternStorage data(long bytes) {
        return new PatternStorage(bytes, STEP, SEED);
    }

    private static void assertWritten(PatternStorage data, boolean isReceiver) {
        assertThat(data.writtenBytes()).isEqualTo(isReceiver ? data.sizeBytes() : 0);
    }
}

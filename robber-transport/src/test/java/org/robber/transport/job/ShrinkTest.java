package org.robber.transport.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.robber.Communicator;
import org.robber.MulticastStream;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;

/** Nodes are killed in the middle of calls; the others go on. */
class ShrinkTest {
    private static final int NODES = 6;

    /** Elements of a part: with few, nodes die in a meeting; with many, in an exchange. */
    private record Plan(Set<Integer> victims, int rounds, int part, boolean inCall) {

        static Plan draw(SeededRandom random) {
            Set<Integer> victims = new TreeSet<>();
            for (int i = 0; i <= random.nextInt(2); i++) {
                // Without rank 0 there is no job.
                victims.add(1 + random.nextInt(NODES - 1));
            }
            return new Plan(victims, random.nextInt(3), random.nextBoolean() ? 3 : 300_000, random.nextBoolean());
        }

        int[] survivors() {
            return IntStream.range(0, NODES)
                    .filter(rank -> !victims.contains(rank))
                    .toArray();
        }
    }

    @Test
    void survivorsGoOnWithoutNodesThatAreKilled() {
        SeededRuns.run(4, random -> {
            Plan plan = Plan.draw(random);
            try (MortalJob job = new MortalJob(2, 1, 3)) {
                job.start(world -> live(job, world, plan));
                for (int rank : plan.survivors()) {
                    assertThat(job.end(rank)).as("rank %s of %s", rank, plan).isNull();
                }
            } catch (Exception e) {
                throw new AssertionError(plan.toString(), e);
            }
        });
    }

    private static void live(MortalJob job, Communicator world, Plan plan) {
        world.onLost((rank, why) -> {
            throw new IllegalStateException("a defect of the program, which does not end the job");
        });
        // A node that dies before rank 0 has made a call ends the job. One that dies soon may fail this call elsewhere.
        Throwable unused = catchThrowable(world::barrier);
        if (plan.victims.contains(world.rank())) {
            // A victim whose calls fail, because the other has died, dies as well.
            unused = catchThrowable(() -> rounds(world, plan));
            if (plan.inCall) {
                world.iAllGather(own(world, plan.part), new int[plan.part * NODES]);
            }
            job.kill(world.rank());
            return;
        }
        Communicator group = world;
        while (group.size() > plan.survivors().length) {
            Communicator current = group;
            Throwable failure = catchThrowable(() -> rounds(current, plan));
            if (failure == null) {
                // The victims have not died yet, or only after they had sent everything.
                continue;
            }
            assertThat(failure).isInstanceOfSatisfying(RobberException.class, lost -> {
                assertThat(lost.reason()).as(lost.toString()).isEqualTo(Reason.NETWORK);
                assertThat(plan.victims).containsAll(lost.ranks());
            });
            group = current.shrink();
            assertThat(group.rank()).isBetween(0, group.size() - 1);
        }
        assertThat(IntStream.range(0, group.size()).map(group::worldRank).toArray())
                .isEqualTo(plan.survivors());
        gatherAll(group, plan.part);
        gatherAll(group.splitByCluster(), plan.part);
        assertThat(world.lost().keySet()).isEqualTo(plan.victims);
        assertThat(group.lost()).isEmpty();
    }

    private static void rounds(Communicator group, Plan plan) {
        for (int round = 0; round <= plan.rounds; round++) {
            gatherAll(group, plan.part);
        }
    }

    private static int[] own(Communicator group, int part) {
        int[] own = new int[part];
        Arrays.fill(own, group.rank());
        return own;
    }

    private static void gatherAll(Communicator group, int part) {
        int[] all = new int[part * group.size()];
        group.allGather(own(group, part), all);
        int[] expected = new int[all.length];
        Arrays.setAll(expected, i -> i / part);
        assertThat(Arrays.equals(all, expected)).isTrue();
    }

    @Test
    void readersOfAStreamLearnThatItsRootIsKilled() throws Exception {
        int root = 2;
        int written = 20_000_000;
        try (MortalJob job = new MortalJob(1, 2, 1)) {
            job.start(world -> {
                world.barrier();
                MulticastStream stream = world.openStream(root);
                if (world.rank() == root) {
                    stream.write(ByteBuffer.allocate(written));
                    job.kill(root);
                    return;
                }
                ByteBuffer buffer = ByteBuffer.allocate(1 << 20);
                long read = 0;
                Throwable end = null;
                while (end == null) {
                    try {
                        read += stream.read(buffer.clear());
                    } catch (RobberException e) {
                        end = e;
                    }
                }
                assertThat(read).isLessThanOrEqualTo(written);
                assertThat(end).isInstanceOfSatisfying(RobberException.class, lost -> {
                    assertThat(lost.reason()).as(lost.toString()).isEqualTo(Reason.NETWORK);
                    assertThat(lost.ranks()).containsExactly(root);
                });
                Communicator left = world.shrink();
                assertThat(left.size()).isEqualTo(3);
                gatherAll(left, 3);
            });
            for (int rank : new int[] {0, 1, 3}) {
                assertThat(job.end(rank)).as("rank %s", rank).isNull();
            }
        }
    }

    @Test
    void aGroupIsClosedThoughAMemberIsLost() throws Exception {
        try (MortalJob job = new MortalJob(1, 2)) {
            job.start(world -> {
                Communicator group = world.group(0, 1, 2).orElseThrow();
                gatherAll(group, 100_000);
                if (world.rank() == 2) {
                    job.kill(2);
                    return;
                }
                group.close();
                gatherAll(world.shrink(), 3);
            });
            for (int rank : new int[] {0, 1}) {
                assertThat(job.end(rank)).as("rank %s", rank).isNull();
            }
        }
    }
}

package org.robber.transport.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.Ints;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.robber.Communicator;
import org.robber.Op;
import org.robber.RankProgram;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;
import org.robber.core.topology.Topology;

/** Nodes of one cluster make another call than those of others, whose members send each other messages: both calls are named at all of them. */
class MismatchBetweenClustersTest {
    private static final int MIDDLE = 3_000;
    private static final int LARGE = 400_000;

    /** A call, and how messages name it. */
    private record Call(String name, RankProgram program) {}

    private static final List<Call> CALLS = List.of(
            new Call("barrier", Communicator::barrier),
            new Call("bcast from rank 0 of 60000 int", world -> world.bcast(new int[20 * MIDDLE], 0)),
            new Call(
                    "allGather of 3000 long",
                    world -> world.allGather(new long[MIDDLE], new long[MIDDLE * world.size()])),
            new Call("allToAll of 3000 long", world -> {
                long[] numbers = new long[MIDDLE * world.size()];
                world.allToAll(numbers, numbers.clone());
            }),
            new Call("allReduce by sum of 3000 long", world -> world.allReduce(new long[MIDDLE], Op.SUM)),
            new Call("allReduce by max of 3000 long", world -> world.allReduce(new long[MIDDLE], Op.MAX)),
            new Call("allReduce by sum of 400000 long", world -> world.allReduce(new long[LARGE], Op.SUM)),
            new Call("reduce to rank 0 by sum", world -> world.reduce(new long[MIDDLE], new long[MIDDLE], Op.SUM, 0)));

    /** @param others the ranks that make the second call */
    private record Plan(List<Integer> clusterSizes, Set<Integer> others, Call first, Call second) {

        static Plan draw(SeededRandom random) {
            int[] sizes = {1 + random.nextInt(3), 1 + random.nextInt(3), 1 + random.nextInt(2)};
            Topology topology = Topology.ofSizes(sizes);
            int first = random.nextInt(CALLS.size());
            int second = (first + 1 + random.nextInt(CALLS.size() - 1)) % CALLS.size();
            int[] others = random.nextBoolean()
                    ? topology.members(random.nextInt(sizes.length))
                    : new int[] {random.nextInt(topology.size())};
            return new Plan(Ints.asList(sizes), Set.copyOf(Ints.asList(others)), CALLS.get(first), CALLS.get(second));
        }
    }

    /** {@code -Drobber.scale=30} tests each ordered pair several times. */
    @Test
    void bothCallsAreNamed() {
        SeededRuns.run(12, Plan::draw, MismatchBetweenClustersTest::assertNamed);
    }

    private static void assertNamed(Plan plan) throws Exception {
        try (MortalJob job = MortalJob.withLongLines(Ints.toArray(plan.clusterSizes))) {
            job.start(world -> {
                (plan.others.contains(world.rank()) ? plan.second : plan.first).program.run(world);
                // Calls that move nothing away from a node may end before the mismatch is found.
                world.barrier();
            });
            int size = plan.clusterSizes.stream().mapToInt(Integer::intValue).sum();
            for (int rank = 0; rank < size; rank++) {
                assertThat(job.end(rank)).as("rank %s", rank).isInstanceOfSatisfying(RobberException.class, failure -> {
                    assertThat(failure.reason()).isEqualTo(Reason.USAGE);
                    assertThat(failure).hasMessageContainingAll(plan.first.name, plan.second.name);
                });
            }
        }
    }
}

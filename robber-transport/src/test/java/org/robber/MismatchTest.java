package org.robber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.RobberException.Reason;
import org.robber.core.random.SeededRuns;

/** One node makes another call than all others: both calls are named, whichever they are. */
class MismatchTest {
    private static final int LARGE = 40_000;

    /** A call, and how messages name it. */
    private record Call(String name, RankProgram program) {}

    private static final List<Call> CALLS = List.of(
            new Call("barrier", Communicator::barrier),
            new Call("bcast from rank 0 of 1 int", world -> world.bcast(new int[1], 0)),
            new Call("bcast from rank 1 of 1 int", world -> world.bcast(new int[1], 1)),
            new Call("bcast from rank 0 of 40000 int", world -> world.bcast(new int[LARGE], 0)),
            new Call("bcast from rank 0 of 40000 float", world -> world.bcast(new float[LARGE], 0)),
            new Call("allGather of 2 int", world -> world.allGather(new int[2], new int[2 * world.size()])),
            new Call("gather to rank 0 of 2 int", world -> world.gather(new int[2], new int[2 * world.size()], 0)),
            new Call("scatter from rank 0 of 2 int", world -> world.scatter(new int[2 * world.size()], new int[2], 0)),
            new Call("allToAll of 1 int", world -> world.allToAll(new int[world.size()], new int[world.size()])),
            new Call("reduce to rank 0 by sum", world -> world.reduce(new int[4], new int[4], Op.SUM, 0)),
            new Call("allReduce by sum of 40000 long", world -> world.allReduce(new long[LARGE], Op.SUM)),
            new Call("allReduce by max of 40000 long", world -> world.allReduce(new long[LARGE], Op.MAX)),
            new Call("reduceScatter", world -> world.reduceScatter(new int[world.size()], new int[1], Op.SUM)),
            new Call("scan by sum", world -> world.scan(new int[4], new int[4], Op.SUM)),
            new Call("exScan by sum", world -> world.exScan(new int[4], new int[4], Op.SUM)),
            new Call("split", world -> world.split(0, 0)),
            new Call("splitByCluster", Communicator::splitByCluster),
            new Call("openStream from rank 0", world -> world.openStream(0)),
            new Call("open channel 0", world -> world.multicastChannel(ChannelOptions.defaults())),
            new Call("barrier of all that are left", world -> world.control().barrier()));

    @Test
    void bothCallsAreNamed() {
        SeededRuns.run(12, random -> {
            int ranks = 2 + random.nextInt(3);
            int other = random.nextInt(ranks);
            int first = random.nextInt(CALLS.size());
            int second = (first + 1 + random.nextInt(CALLS.size() - 1)) % CALLS.size();
            assertNamed(ranks, other, CALLS.get(first), CALLS.get(second));
        });
    }

    private static void assertNamed(int ranks, int other, Call theirs, Call its) {
        try (LocalJob job = Robber.local(1, ranks)) {
            assertThatThrownBy(() -> job.run(world -> {
                        Call call = world.rank() == other ? its : theirs;
                        call.program.run(world);
                        // Calls that move nothing away from a node may end before the mismatch is found.
                        world.barrier();
                    }))
                    .as("%s of %s ranks calls %s, and not %s", other, ranks, its.name, theirs.name)
                    .isInstanceOfSatisfying(RobberException.class, failure -> {
                        assertThat(failure.reason()).as(failure.toString()).isEqualTo(Reason.USAGE);
                        assertThat(failure.ranks()).contains(other);
                        assertThat(failure).hasMessageContaining(theirs.name).hasMessageContaining(its.name);
                    });
        }
    }
}

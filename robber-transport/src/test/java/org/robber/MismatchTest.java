package org.robber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.robber.RobberException.Reason;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;

/** One node makes another call than all others: both calls are named, whichever they are. */
class MismatchTest {
    private static final int LARGE = 400_000;

    /** A call, and how messages name it. */
    private record Call(String name, RankProgram program) {}

    private static final List<Call> CALLS = List.of(
            new Call("barrier", Communicator::barrier),
            new Call("bcast from rank 0 of 1 int", world -> world.bcast(new int[1], 0)),
            new Call("bcast from rank 1 of 1 int", world -> world.bcast(new int[1], 1)),
            new Call("bcast from rank 0 of 400000 int", world -> world.bcast(new int[LARGE], 0)),
            new Call("bcast from rank 0 of 400000 float", world -> world.bcast(new float[LARGE], 0)),
            new Call("bcast from rank 0 of a size that it knows", world -> world.bcastUpTo(new int[1], 0)),
            new Call("bcast from rank 1 of a size that it knows", world -> world.bcast(new int[1], int[]::new, 1)),
            new Call(
                    "bcast of the ranges that each has of 2 int",
                    world -> world.bcast(new int[2], List.of(new ElementRange(0, 2)))),
            new Call("allGather of int by counts", world -> {
                int[] counts = new int[world.size()];
                world.allGather(new int[0], new int[0], Parts.of(counts));
            }),
            new Call("bcast from rank 0 of 1 float", world -> world.bcast(new float[1], 0)),
            new Call("gather to rank 0 of int by counts", world -> {
                Parts parts = Parts.of(new int[world.size()]);
                world.gather(new int[0], new int[0], parts, 0);
            }),
            new Call("scatter from rank 0 of int by counts", world -> {
                Parts parts = Parts.of(new int[world.size()]);
                world.scatter(new int[0], parts, new int[0], 0);
            }),
            new Call("allToAll of int by counts", world -> {
                Parts parts = Parts.of(new int[world.size()]);
                world.allToAll(new int[0], parts, new int[0], parts);
            }),
            new Call("gather to rank 1 of 2 int", world -> world.gather(new int[2], new int[2 * world.size()], 1)),
            new Call("scatter from rank 1 of 2 int", world -> world.scatter(new int[2 * world.size()], new int[2], 1)),
            new Call("reduce to rank 1 by sum", world -> world.reduce(new int[4], new int[4], Op.SUM, 1)),
            new Call("allGather of 2 int", world -> world.allGather(new int[2], new int[2 * world.size()])),
            new Call("gather to rank 0 of 2 int", world -> world.gather(new int[2], new int[2 * world.size()], 0)),
            new Call("scatter from rank 0 of 2 int", world -> world.scatter(new int[2 * world.size()], new int[2], 0)),
            new Call("allToAll of 1 int", world -> world.allToAll(new int[world.size()], new int[world.size()])),
            new Call("reduce to rank 0 by sum", world -> world.reduce(new int[4], new int[4], Op.SUM, 0)),
            new Call("allReduce by sum of 400000 long", world -> world.allReduce(new long[LARGE], Op.SUM)),
            new Call("allReduce by max of 400000 long", world -> world.allReduce(new long[LARGE], Op.MAX)),
            new Call("reduceScatter", world -> world.reduceScatter(new int[world.size()], new int[1], Op.SUM)),
            new Call("scan by sum", world -> world.scan(new int[4], new int[4], Op.SUM)),
            new Call("exScan by sum", world -> world.exScan(new int[4], new int[4], Op.SUM)),
            new Call("split", world -> world.split(0, 0)),
            new Call("splitByCluster", Communicator::splitByCluster),
            new Call("splitByHost", Communicator::splitByHost),
            new Call("leaders", Communicator::leaders),
            new Call("group of 1 ranks", world -> world.group(0)),
            new Call("openStream from rank 0", world -> world.openStream(0)),
            new Call(
                    "openStream from rank 0 with dropAfter PT9S",
                    world -> world.openStream(0, StreamOptions.defaults().withDropAfter(Duration.ofSeconds(9)))),
            new Call(
                    "openStream from rank 0 with a window of 12582912",
                    world -> world.openStream(0, StreamOptions.defaults().withWindow(12 << 20))),
            new Call("open channel 0", world -> world.multicastChannel(ChannelOptions.defaults())),
            new Call(
                    "communicator with strategy flat",
                    world -> world.withOptions(ChannelOptions.defaults().withStrategy("flat"))),
            new Call(
                    "communicator with strategy binomial",
                    world -> world.withOptions(ChannelOptions.defaults().withStrategy("binomial"))),
            new Call("barrier of all that are left", world -> world.control().barrier()),
            new Call("agreement at rank 0", world -> world.control().agree(new byte[0], told -> new byte[0])));

    /** {@code -Drobber.scale=124} tests each ordered pair. */
    @Test
    void bothCallsAreNamed() {
        int pairs = CALLS.size() * (CALLS.size() - 1);
        int[] order = new SeededRandom(1).permutation(pairs);
        AtomicLong next = new AtomicLong(SeededRuns.firstSeed());
        Map<Long, String> slowest = new TreeMap<>();
        SeededRuns.run(12, random -> {
            int pair = order[(int) (next.getAndIncrement() % pairs)];
            int first = pair / (CALLS.size() - 1);
            int second = pair % (CALLS.size() - 1);
            int ranks = 2 + random.nextInt(3);
            Call theirs = CALLS.get(first);
            Call its = CALLS.get(second < first ? second : second + 1);
            long nanos = assertNamed(ranks, random.nextInt(ranks), theirs, its);
            slowest.put(nanos, "'" + its.name + "', and not '" + theirs.name + "'");
        });
        slowest.forEach(
                (nanos, pair) -> System.out.printf("known everywhere after %d ms: %s%n", nanos / 1_000_000, pair));
    }

    /** {@code -Drobber.scale=10} tests each call a few times. */
    @Test
    void aProgramThatReturnsWhileOthersWaitIsNamed() {
        List<Call> waits = new ArrayList<>(CALLS);
        waits.add(new Call("barrier", world -> group(world).barrier()));
        waits.add(new Call("allReduce by sum", world -> group(world).allReduce(new long[LARGE], Op.SUM)));
        SeededRuns.run(12, random -> {
            int ranks = 2 + random.nextInt(3);
            int returns = random.nextInt(ranks);
            Call theirs = waits.get(random.nextInt(waits.size()));
            boolean isOfGroup = waits.indexOf(theirs) >= CALLS.size();
            assertReturnIsNamed(ranks, returns, theirs, isOfGroup ? MismatchTest::group : world -> {});
        });
    }

    @Test
    void aRootThatReturnsBeforeTheEndOfItsStreamIsNamed() {
        try (LocalJob job = Robber.local(1, 3)) {
            assertThatThrownBy(() -> job.run(world -> {
                        MulticastStream stream = world.openStream(0);
                        if (world.rank() != 0) {
                            stream.read(ByteBuffer.allocate(100));
                        }
                    }))
                    .isInstanceOf(RobberException.class)
                    .hasMessageContaining("(rank 0,")
                    .hasMessageContaining("'end of the program'");
        }
    }

    private static Communicator group(Communicator world) {
        return world.split(0, world.rank()).orElseThrow();
    }

    private static void assertReturnIsNamed(int ranks, int returns, Call theirs, RankProgram before) {
        String what = returns + " of " + ranks + " ranks returns, and the others call '" + theirs.name + "'";
        List<RobberException> failures = new CopyOnWriteArrayList<>();
        try (LocalJob job = Robber.local(1, ranks)) {
            assertThatThrownBy(() -> job.run(world -> {
                        if (world.rank() == returns) {
                            before.run(world);
                            return;
                        }
                        try {
                            theirs.program.run(world);
                            world.barrier();
                        } catch (RobberException e) {
                            failures.add(e);
                            throw e;
                        }
                    }))
                    .as(what)
                    .isInstanceOf(RobberException.class);
        }
        assertThat(failures).as(what).hasSize(ranks - 1).allSatisfy(failure -> {
            assertThat(failure.reason()).as(what + ": " + failure).isEqualTo(Reason.USAGE);
            assertThat(failure.ranks()).as(what).contains(returns);
            assertThat(failure).hasMessageContaining("'end of the program'");
        });
    }

    /** Every rank throws, and names both; returns how long that took after the last call. */
    private static long assertNamed(int ranks, int other, Call theirs, Call its) {
        String pair = other + " of " + ranks + " ranks calls '" + its.name + "', and not '" + theirs.name + "'";
        List<RobberException> failures = new CopyOnWriteArrayList<>();
        AtomicLong lastCallNanos = new AtomicLong(Long.MIN_VALUE);
        AtomicLong lastFailureNanos = new AtomicLong(Long.MIN_VALUE);
        try (LocalJob job = Robber.local(1, ranks)) {
            assertThatThrownBy(() -> job.run(world -> {
                        Call call = world.rank() == other ? its : theirs;
                        lastCallNanos.accumulateAndGet(System.nanoTime(), Math::max);
                        try {
                            call.program.run(world);
                            // Calls that move nothing away from a node may end before the mismatch is found.
                            world.barrier();
                        } catch (RobberException e) {
                            lastFailureNanos.accumulateAndGet(System.nanoTime(), Math::max);
                            failures.add(e);
                            throw e;
                        }
                    }))
                    .as(pair)
                    .isInstanceOf(RobberException.class);
        }
        assertThat(failures).as(pair).hasSize(ranks).allSatisfy(failure -> {
            assertThat(failure.reason()).as(pair + ": " + failure).isEqualTo(Reason.USAGE);
            assertThat(failure.ranks()).as(pair).contains(other);
            assertThat(failure).hasMessageContaining(theirs.name).hasMessageContaining(its.name);
        });
        return lastFailureNanos.get() - lastCallNanos.get();
    }
}

package org.robber.transport.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.ChannelOptions;
import org.robber.Communicator;
import org.robber.Op;
import org.robber.Operation;
import org.robber.Parts;
import org.robber.RobberException;
import org.robber.SendLimits;
import org.robber.Storage;
import org.robber.transport.link.GuardedStorage;

/** Large calls of one group, one after the other. */
class ExchangeLanesTest {
    private static final int BYTES = 4 << 20;
    private static final long LIMIT_SECONDS = 20;

    private static byte[] filled(int bytes, int value) {
        byte[] data = new byte[bytes];
        Arrays.fill(data, (byte) value);
        return data;
    }

    private static boolean comes(CountDownLatch latch) {
        try {
            return latch.await(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Rank 1 stores the end of the first only when it has something of the second. The barrier is no exchange, so it takes no turn. */
    @Test
    void aNodeBeginsTheNextExchangeWhenItHasNearlyAllOfTheOneBefore() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean inTime = new AtomicBoolean();
        try (Cluster cluster = new Cluster(3, 3)) {
            cluster.run(world -> {
                byte[] first = filled(BYTES, world.rank() == 0 ? 5 : 0);
                byte[] second = filled(BYTES, world.rank() == 0 ? 6 : 0);
                boolean holdsBack = world.rank() == 1;
                Storage end = new WatchedStorage(
                        first, holdsBack ? BYTES - BYTES / 64 : Long.MAX_VALUE, () -> inTime.set(comes(begun)));
                Storage start = new WatchedStorage(second, holdsBack ? 1 : Long.MAX_VALUE, begun::countDown);
                Operation<Void> before = world.iBcast(end, 0);
                Operation<Void> barrier = world.iBarrier();
                Operation<Void> after = world.iBcast(start, 0);
                before.await();
                barrier.await();
                after.await();
                assertThat(first).isEqualTo(filled(BYTES, 5));
                assertThat(second).isEqualTo(filled(BYTES, 6));
            });
        }
        assertThat(inTime).isTrue();
    }

    /** Rank 1 gets the first for four seconds, while rank 2 waits for what rank 1 has to send in the second. */
    @Test
    void nodesWaitForOneThatIsStillAtAnEarlierExchange() throws Exception {
        try (Cluster cluster = new Cluster(4, 3)) {
            cluster.limitSending(new SendLimits(BYTES / 4, 0));
            cluster.limitStalls(Duration.ofSeconds(1));
            cluster.limitConnecting(Duration.ofSeconds(2));
            cluster.run(world -> {
                byte[] part = new byte[world.rank() == 1 ? BYTES : 0];
                byte[] second = filled(BYTES / 2, world.rank() == 1 ? 7 : 0);
                Operation<Void> before =
                        world.iScatter(world.rank() == 0 ? filled(BYTES, 5) : null, Parts.of(0, BYTES, 0), part, 0);
                Operation<Void> after = world.iBcast(second, 1);
                before.await();
                after.await();
                assertThat(part).isEqualTo(filled(part.length, 5));
                assertThat(second).isEqualTo(filled(BYTES / 2, 7));
            });
        }
    }

    /** The others wait for what that node has, or is to bring. */
    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void aNodeWhoseStorageHangsIsAtFault(int rank) throws Exception {
        // Those that wait have twice that. On a busy machine they may begin a second before this node.
        assertIsAtFault(rank, 4, (world, stuck) -> {
            Storage memory = Storage.of(ByteBuffer.wrap(new byte[BYTES]));
            world.bcast(world.rank() == rank ? new GuardedStorage(memory, stuck::run) : memory, 0);
        });
    }

    /**
     * Of three nodes, this one hangs in the call, and the job ends for that reason.
     *
     * @param call given what hangs until the job has ended
     */
    private static void assertIsAtFault(int rank, int limitSeconds, BiConsumer<Communicator, Runnable> call)
            throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Runnable stuck = GuardedStorage.stuckUntil(end);
        try (Cluster cluster = new Cluster(4, 3)) {
            cluster.limitStalls(Duration.ofSeconds(limitSeconds));
            assertThatThrownBy(() -> cluster.run(world -> call.accept(world, stuck)))
                    .isInstanceOfSatisfying(
                            RobberException.class,
                            failure -> assertThat(failure.ranks()).containsExactly(rank))
                    .hasMessageContaining("reading, writing or combining has hung for " + limitSeconds + " s");
        } finally {
            end.countDown();
        }
    }

    /** Each takes less than the limit. The last node waits for both, longer than that, and has no part in it. */
    @Test
    void aNodeWaitsForTwoSlowStoragesInARow() throws Exception {
        int bytes = BYTES / 16;
        try (Cluster cluster = new Cluster(4, 3)) {
            cluster.limitStalls(Duration.ofSeconds(6));
            cluster.run(world -> {
                byte[] data = filled(bytes, world.rank() == 0 ? 5 : 0);
                Storage memory = Storage.of(ByteBuffer.wrap(data));
                world.withOptions(
                                ChannelOptions.defaults().withStrategy("chain").withPieceBytes(bytes))
                        .bcast(world.rank() < 2 ? new GuardedStorage(memory, () -> sleep(3500)) : memory, 0);
                assertThat(data).isEqualTo(filled(bytes, 5));
            });
        }
    }

    private enum Part {
        MESSAGES,
        CONTRIBUTIONS_THAT_ARE_KEPT
    }

    /** No piece moves then. The call ends at that node, too. */
    @ParameterizedTest
    @EnumSource
    @Timeout(60)
    void aNodeWhoseStorageHangsOutsideOfAnExchangeIsAtFault(Part part) throws Exception {
        assertIsAtFault(2, 4, (world, stuck) -> {
            Storage memory = Storage.of(ByteBuffer.wrap(new byte[BYTES / 16]));
            Storage storage = world.rank() == 2 ? new GuardedStorage(memory, stuck::run) : memory;
            if (part == Part.MESSAGES) {
                world.allReduce(storage, new byte[BYTES / 16], Op.SUM);
            } else {
                world.withOptions(ChannelOptions.defaults().withPieceBytes(BYTES / 256))
                        .allReduce(storage, Op.SUM);
            }
        });
    }

    private enum FewBytes {
        READ_AFTER_SIZES,
        WRITTEN,
        WRITTEN_AFTER_THE_SIZE,
        COMBINED
    }

    /** Members that wait in a meeting have no limit, so the node at fault has to say so. */
    @ParameterizedTest
    @EnumSource
    @Timeout(60)
    void aNodeThatHangsWithFewBytesIsAtFault(FewBytes bytes) throws Exception {
        assertIsAtFault(2, 1, (world, stuck) -> {
            Storage memory = Storage.of(ByteBuffer.wrap(new byte[100]));
            Storage storage = world.rank() == 2 ? new GuardedStorage(memory, stuck::run) : memory;
            switch (bytes) {
                case READ_AFTER_SIZES -> world.gather(storage, new byte[300], Parts.of(100, 100, 100), 0);
                case WRITTEN -> world.bcast(storage, 0);
                case WRITTEN_AFTER_THE_SIZE -> world.bcastUpTo(storage, 0);
                case COMBINED ->
                    world.allReduce(new byte[100], new byte[100], Op.of("stuck", true, (first, second) -> {
                        if (world.rank() == 2) {
                            stuck.run();
                        }
                    }));
            }
        });
    }

    /** Contributions of 4 MiB take twice the stall limit, and those of a piece an eighth of it. */
    @Test
    void contributionsThatAreKeptMayTakeLong() throws Exception {
        int pieces = 16;
        try (Cluster cluster = new Cluster(2, 2)) {
            cluster.limitStalls(Duration.ofSeconds(2));
            cluster.run(world -> {
                byte[] sum = filled(BYTES, 3);
                Storage slow = new GuardedStorage(Storage.of(ByteBuffer.wrap(sum)), () -> sleep(250));
                world.withOptions(ChannelOptions.defaults().withPieceBytes(BYTES / pieces))
                        .allReduce(slow, Op.SUM);
                assertThat(sum).isEqualTo(filled(BYTES, 6));
            });
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

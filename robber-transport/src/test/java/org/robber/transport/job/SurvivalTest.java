package org.robber.transport.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.ChannelOptions;
import org.robber.ChannelOptions.OnLoss;
import org.robber.Communicator;
import org.robber.MulticastChannel;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.RootStripe;
import org.robber.Storage;

/** Nodes that die or fail in the middle of a multicast: the others have everything, and go on. */
@Timeout(120)
class SurvivalTest {
    private static final int BYTES = 1 << 20;
    private static final int PIECE_BYTES = 1 << 12;

    private final byte[] data = new byte[BYTES];

    SurvivalTest() {
        new Random(1).nextBytes(data);
    }

    private static ChannelOptions options(OnLoss onLoss) {
        return ChannelOptions.defaults().withPieceBytes(PIECE_BYTES).withOnLoss(onLoss);
    }

    /** A source whose last piece never leaves: who is told of it can end the node before. */
    private record LastPieceKept(Storage memory, Runnable told) implements Storage {
        @Override
        public long sizeBytes() {
            return memory.sizeBytes();
        }

        @Override
        public void read(long offsetBytes, ByteBuffer target) throws IOException {
            if (offsetBytes >= BYTES - PIECE_BYTES) {
                told.run();
                throw new IOException("too late");
            }
            memory.read(offsetBytes, target);
        }

        @Override
        public void write(long offsetBytes, ByteBuffer source) throws IOException {
            memory.write(offsetBytes, source);
        }

        @Override
        public void close() {
            // Memory.
        }
    }

    /** A node dies when it has so many quarters of the data. */
    private record Death(String strategy, int quarters) {}

    /** All at the same time: most of it is waiting for what does not come any more. */
    @Test
    void theOthersFinishWithoutAKilledNodeAndGoOn() throws Exception {
        List<Callable<Void>> jobs = new ArrayList<>();
        for (Death death : List.of(
                new Death("robber", 2),
                new Death("robber", 1),
                new Death("robber", 0),
                new Death("mob", 3),
                new Death("bittorrent", 2),
                new Death("auto", 1),
                new Death("chain", 2))) {
            jobs.add(() -> {
                goOnAfter(death);
                return null;
            });
        }
        ExecutorService threads = Executors.newFixedThreadPool(jobs.size());
        try {
            for (Future<Void> job : threads.invokeAll(jobs)) {
                job.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    private void goOnAfter(Death death) throws Exception {
        Map<Integer, Map<Integer, RobberException>> missing = new ConcurrentHashMap<>();
        try (MortalJob job = new MortalJob(2, 3)) {
            int victim = 3;
            long share = Math.max(1, (long) BYTES / 4 * death.quarters);
            job.start(world -> {
                try (MulticastChannel channel = world.multicastChannel(
                        options(OnLoss.COMPLETE_SURVIVORS).withStrategy(death.strategy))) {
                    job.opened(world.rank(), channel);
                    byte[] here = world.rank() == 0 ? data.clone() : new byte[BYTES];
                    boolean dies = world.rank() == victim;
                    channel.multicast(
                            new WatchedStorage(here, dies ? share : Long.MAX_VALUE, () -> job.killSelf(victim)));
                    channel.flush();
                    assertThat(here).isEqualTo(data);
                    missing.put(world.rank(), channel.missing());
                    again(world, channel);
                    world.control().barrier();
                }
            });
            for (int rank = 0; rank < 5; rank++) {
                if (rank != victim) {
                    assertThat(job.end(rank)).as("%s: rank %s", death, rank).isNull();
                }
            }
        }
        assertThat(missing).as("%s", death).hasSize(4).allSatisfy((rank, lost) -> {
            assertThat(lost).containsOnlyKeys(3);
            assertThat(lost.get(3)).hasMessageContainingAll("node B-1 (rank 3, host ", "was lost");
            assertThat(lost.get(3).reason()).isEqualTo(Reason.NETWORK);
        });
    }

    @Test
    void piecesThatAreLostWithTheRootEndTheJobAndAreNamed() throws Exception {
        piecesOfRankOneAreLost(List.of(new RootStripe(1, BYTES)));
    }

    /** Those of the other root arrive. */
    @Test
    void piecesThatAreLostWithOneOfSeveralRootsEndTheJobAndAreNamed() throws Exception {
        piecesOfRankOneAreLost(List.of(new RootStripe(2, BYTES / 2), new RootStripe(1, BYTES)));
    }

    /** The data of this node. */
    private byte[] stripesOf(int rank, List<RootStripe> stripes) {
        byte[] own = new byte[BYTES];
        int from = 0;
        for (RootStripe stripe : stripes) {
            int end = (int) stripe.endBytes();
            if (stripe.rootRank() == rank) {
                System.arraycopy(data, from, own, from, end - from);
            }
            from = end;
        }
        return own;
    }

    private void piecesOfRankOneAreLost(List<RootStripe> stripes) throws Exception {
        try (MortalJob job = new MortalJob(3)) {
            int root = 1;
            job.start(world -> {
                try (MulticastChannel channel = world.multicastChannel(options(OnLoss.COMPLETE_SURVIVORS))) {
                    job.opened(world.rank(), channel);
                    boolean isRoot = world.rank() == root;
                    Storage here = Storage.of(ByteBuffer.wrap(stripesOf(world.rank(), stripes)));
                    channel.multicast(isRoot ? new LastPieceKept(here, () -> job.killSelf(root)) : here, stripes);
                    channel.flush();
                }
            });
            for (int rank : List.of(0, 2)) {
                assertThat(job.end(rank)).isInstanceOfSatisfying(RobberException.class, failure -> {
                    assertThat(failure.reason()).isEqualTo(Reason.NETWORK);
                    assertThat(failure.ranks()).containsExactly(root);
                    assertThat(failure)
                            .hasMessageFindingMatch(
                                    "[0-9]+ of 256 pieces \\([-0-9, .]+\\) were lost during 'multicast 0'")
                            .hasMessageContaining("node A-1 (rank 1");
                });
            }
        }
    }

    /** From a root that is not rank 0, among those that are left. */
    private void again(Communicator world, MulticastChannel channel) {
        byte[] reversed = data.clone();
        Arrays.sort(reversed);
        byte[] here = world.rank() == 4 ? reversed.clone() : new byte[BYTES];
        channel.multicast(Storage.of(ByteBuffer.wrap(here)), 4);
        channel.flush();
        assertThat(here).isEqualTo(reversed);
        assertThat(channel.missing()).isEmpty();
    }

    /** In pieces, and published. */
    static List<Arguments> waysToFail() {
        return List.of(
                arguments(
                        BYTES,
                        options(OnLoss.THROW),
                        new RobberException(Reason.DESTINATION, List.of(), "write", "no space left")),
                arguments(10, ChannelOptions.defaults(), new UncheckedIOException(new IOException("no space left"))));
    }

    @ParameterizedTest
    @MethodSource("waysToFail")
    void aNodeThatCannotWriteHearsItsOwnReasonAndTheOthersWhoItIs(
            int bytes, ChannelOptions options, RuntimeException full) throws Exception {
        byte[] content = Arrays.copyOf(data, bytes);
        try (MortalJob job = new MortalJob(2, 2)) {
            job.start(world -> {
                MulticastChannel channel = world.multicastChannel(options);
                byte[] here = world.rank() == 0 ? content.clone() : new byte[bytes];
                Storage storage = world.rank() == 2
                        ? new WatchedStorage(here, bytes / 2, () -> {
                            throw full;
                        })
                        : Storage.of(ByteBuffer.wrap(here));
                RobberException failure = catchThrowableOfType(RobberException.class, () -> {
                    channel.multicast(storage);
                    channel.flush();
                });
                assertThat(failure).isNotNull();
                assertThat(failure.ranks()).containsExactly(2);
                assertThat(failure).hasMessageContainingAll("node B-0 (rank 2, host ", "no space left");
                if (world.rank() == 2) {
                    assertThat(failure.reason()).isEqualTo(Reason.DESTINATION);
                    assertThat(world.control().awaitConclusion()).hasValue(23);
                    return;
                }
                assertThat(failure.reason()).isEqualTo(Reason.PARTIAL);
                assertThat(failure).hasMessageStartingWith("1 node was lost, and all others have everything: ");
                assertThat(here).isEqualTo(content);
                channel.close();
                if (world.rank() == 0) {
                    world.control().conclude(23);
                }
                world.control().barrier();
            });
            for (int rank = 0; rank < 4; rank++) {
                assertThat(job.end(rank)).as("rank %s", rank).isNull();
            }
        }
    }

    /** A node may flush before it closes, or not: all close together. */
    @Test
    void aChannelIsClosedThoughANodeWasLost() throws Exception {
        try (MortalJob job = new MortalJob(2, 1)) {
            job.start(world -> {
                MulticastChannel channel = world.multicastChannel(options(OnLoss.THROW));
                Communicator calls = channel.communicator();
                byte[] here = world.rank() == 0 ? data.clone() : new byte[BYTES];
                if (world.rank() == 2) {
                    RobberException unused = catchThrowableOfType(
                            RobberException.class,
                            () -> channel.multicast(new WatchedStorage(here, BYTES / 2, () -> {
                                throw new RobberException(Reason.DESTINATION, List.of(), "write", "no space left");
                            })));
                    assertThat(world.control().awaitConclusion()).hasValue(23);
                    return;
                }
                channel.multicast(here);
                RobberException partial = catchThrowableOfType(
                        RobberException.class, world.rank() == 0 ? channel::flush : channel::close);
                assertThat(partial.reason()).isEqualTo(Reason.PARTIAL);
                channel.close();
                assertThat(catchThrowable(calls::barrier)).hasMessageContaining("closed");
                if (world.rank() == 0) {
                    world.control().conclude(23);
                }
                world.control().barrier();
            });
            for (int rank = 0; rank < 3; rank++) {
                assertThat(job.end(rank)).as("rank %s", rank).isNull();
            }
        }
    }

    /** Calls of a communicator make a job go on without lost nodes, but not a channel that aborts. */
    @ParameterizedTest
    @ValueSource(ints = {10, BYTES})
    void aLossBetweenMulticastsEndsTheJobOfAChannelThatAborts(int bytes) throws Exception {
        try (MortalJob job = new MortalJob(2, 1)) {
            job.start(world -> {
                world.barrier();
                try (MulticastChannel channel =
                        world.multicastChannel(ChannelOptions.defaults().withOnLoss(OnLoss.ABORT))) {
                    channel.multicast(new byte[bytes]);
                    channel.flush();
                    world.barrier();
                    if (world.rank() == 2) {
                        job.kill(2);
                    }
                    CountDownLatch lost = new CountDownLatch(1);
                    world.onLost((rank, why) -> lost.countDown());
                    lost.await();
                    channel.multicast(new byte[bytes]);
                    channel.flush();
                }
            });
            for (int rank = 0; rank < 2; rank++) {
                assertThat(job.end(rank)).as("rank %s", rank).isInstanceOfSatisfying(RobberException.class, failure -> {
                    assertThat(failure.reason()).isEqualTo(Reason.NETWORK);
                    assertThat(failure.ranks()).containsExactly(2);
                });
            }
        }
    }
}

package org.robber.transport.job;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.ChannelOptions;
import org.robber.ChannelOptions.OnLoss;
import org.robber.Communicator;
import org.robber.MulticastChannel;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.SendLimits;
import org.robber.Storage;
import org.robber.TransferStats;
import org.robber.transport.link.GuardedStorage;

/** Multicasts between processes of one machine, through memory that they share. */
class MulticastThroughMemoryTest {
    /** With the least memory that a channel may have, a round shows so much. */
    private static final int ROUND_BYTES = 1 << 19;

    private static final ChannelOptions SMALL_ROUNDS =
            ChannelOptions.defaults().withMemoryBytes(8 * ROUND_BYTES).withOnLoss(OnLoss.COMPLETE_SURVIVORS);

    @TempDir
    private Path folder;

    private static byte[] random(int bytes) {
        byte[] data = new byte[bytes];
        new Random(bytes).nextBytes(data);
        return data;
    }

    @Test
    void everyNodeGetsEveryByteFromEachRootInMemoryAndFiles() throws Exception {
        try (Cluster cluster = new Cluster(1, 4)) {
            cluster.run(world -> {
                try (MulticastChannel channel = world.multicastChannel(SMALL_ROUNDS)) {
                    for (int bytes : List.of(ROUND_BYTES - 1, ROUND_BYTES, ROUND_BYTES + 1, 4 * ROUND_BYTES + 1000)) {
                        for (int root = 0; root < world.size(); root++) {
                            multicast(world, channel, bytes, root);
                            TransferStats stats = channel.lastStats();
                            assertThat(stats.messagesSent()).isZero();
                            assertThat(stats.bytesReceivedFromCluster())
                                    .containsExactly(world.rank() == root ? 0L : bytes);
                            assertThat(stats.bytesSentToCluster())
                                    .containsExactly(world.rank() == root ? 3L * bytes : 0);
                        }
                    }
                }
            });
        }
    }

    private void multicast(Communicator world, MulticastChannel channel, int bytes, int root) throws Exception {
        byte[] data = random(bytes);
        boolean isRoot = world.rank() == root;
        boolean inFile = (world.rank() + root) % 2 == 0;
        try (Storage storage = inFile
                ? Storage.of(FileChannel.open(folder.resolve("rank-" + world.rank()), CREATE, READ, WRITE), bytes)
                : Storage.of(ByteBuffer.allocateDirect(bytes))) {
            storage.write(0, ByteBuffer.wrap(isRoot ? data : new byte[bytes]));
            channel.multicast(storage, root);
            ByteBuffer here = ByteBuffer.allocate(bytes);
            storage.read(0, here);
            assertThat(here.array()).as("%s bytes from rank %s", bytes, root).isEqualTo(data);
            channel.flush();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void goesInPiecesIfANodeIsLimitedOrAUserWantsNoSharedMemory(boolean limited) throws Exception {
        ChannelOptions options = ChannelOptions.defaults().withSharedMemory(limited);
        try (Cluster cluster = new Cluster(1, 3)) {
            if (limited) {
                cluster.limitSending(new SendLimits(100_000_000, 0));
            }
            cluster.run(world -> {
                try (MulticastChannel channel = world.multicastChannel(options)) {
                    for (int i = 0; i < 2; i++) {
                        multicast(world, channel, ROUND_BYTES, i);
                        assertThat(channel.lastStats().messagesSent()).isPositive();
                    }
                }
            });
        }
    }

    @Test
    void goesInPiecesIfNodesMayJoin() throws Exception {
        try (MortalJob job = new MortalJob(2)) {
            job.start(world -> {
                try (MulticastChannel channel = world.multicastChannel(SMALL_ROUNDS)) {
                    for (boolean mayBeJoined : List.of(false, true, false)) {
                        if (mayBeJoined && world.rank() == 0) {
                            channel.letJoin(new byte[] {1});
                        }
                        multicast(world, channel, 3 * ROUND_BYTES, 1);
                        assertThat(channel.lastStats().messagesSent() > 0).isEqualTo(mayBeJoined);
                    }
                }
            });
            assertThat(job.end(0)).isNull();
            assertThat(job.end(1)).isNull();
        }
    }

    /** The root reads its third part once the receiver has the first ones. */
    @Test
    void aSlowRootShowsWhatItHas() throws Exception {
        int part = 1 << 20;
        byte[] data = random(4 * part);
        AtomicInteger reads = new AtomicInteger();
        CountDownLatch received = new CountDownLatch(1);
        try (Cluster cluster = new Cluster(1, 2)) {
            cluster.run(world -> {
                try (MulticastChannel channel = world.multicastChannel(ChannelOptions.defaults())) {
                    byte[] here = world.rank() == 0 ? data.clone() : new byte[data.length];
                    Storage memory = Storage.of(ByteBuffer.wrap(here));
                    Storage slow = new GuardedStorage(memory, () -> {
                        int read = reads.incrementAndGet();
                        if (read == 2) {
                            Uninterruptibles.sleepUninterruptibly(Duration.ofMillis(1100));
                        } else if (read == 3) {
                            assertThat(Uninterruptibles.awaitUninterruptibly(received, Duration.ofSeconds(60)))
                                    .isTrue();
                        }
                    });
                    channel.multicast(
                            world.rank() == 0 ? slow : new WatchedStorage(here, 2L * part, received::countDown));
                    channel.flush();
                    assertThat(here).isEqualTo(data);
                }
            });
        }
    }

    @Test
    void nodesThatDisagreeAreNamed() throws Exception {
        try (MortalJob job = new MortalJob(2)) {
            job.start(world -> {
                try (MulticastChannel channel = world.multicastChannel(SMALL_ROUNDS)) {
                    channel.multicast(new byte[ROUND_BYTES], 0);
                    channel.multicast(new byte[ROUND_BYTES + world.rank()], 0);
                    channel.flush();
                }
            });
            for (int rank = 0; rank < 2; rank++) {
                assertThat(job.end(rank)).isInstanceOfSatisfying(RobberException.class, failure -> {
                    assertThat(failure.reason()).isEqualTo(Reason.USAGE);
                    assertThat(failure).hasMessageContainingAll(ROUND_BYTES + " bytes", (ROUND_BYTES + 1) + " bytes");
                });
            }
        }
    }

    /** The victim dies when this receiver has got so many rounds of the first of two multicasts. */
    @ParameterizedTest
    @CsvSource({"1, 2, 1", "1, 2, 2", "1, 2, 4", "3, 2, 4"})
    void theOthersGoOnWithoutANodeThatIsNotNeeded(int victim, int receiver, int rounds) throws Exception {
        int root = 3;
        byte[] data = random(4 * ROUND_BYTES);
        try (MortalJob job = new MortalJob(2, 2)) {
            job.start(world -> {
                try (MulticastChannel channel = world.multicastChannel(SMALL_ROUNDS)) {
                    job.opened(world.rank(), channel);
                    byte[] here = world.rank() == root ? data.clone() : new byte[data.length];
                    channel.multicast(watched(job, world.rank() == receiver, here, rounds, victim), root);
                    assertThat(here).isEqualTo(data);
                    channel.flush();
                    // A node that dies at the end may have arrived before.
                    assertThat(channel.missing().keySet()).isSubsetOf(victim);
                    byte[] again = world.rank() == 0 ? data.clone() : new byte[data.length];
                    channel.multicast(again, 0);
                    channel.flush();
                    assertThat(again).isEqualTo(data);
                }
            });
            for (int rank : IntStream.range(0, 4).filter(rank -> rank != victim).toArray()) {
                assertThat(job.end(rank)).as("rank %s", rank).isNull();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aRootThatIsLostBeforeItHasShownAllEndsTheJob(int rounds) throws Exception {
        int root = 3;
        try (MortalJob job = new MortalJob(2, 2)) {
            job.start(world -> {
                try (MulticastChannel channel = world.multicastChannel(SMALL_ROUNDS)) {
                    job.opened(world.rank(), channel);
                    byte[] here = new byte[5 * ROUND_BYTES];
                    channel.multicast(watched(job, world.rank() == 1, here, rounds, root), root);
                    channel.flush();
                }
            });
            for (int rank = 0; rank < 3; rank++) {
                job.assertLostWithRoot(rank, root, "B-1 (rank 3");
            }
        }
    }

    /** Data at a node; if it is this one, it kills the victim once it has got so many rounds. */
    private static Storage watched(MortalJob job, boolean isWatched, byte[] here, int rounds, int victim) {
        return isWatched
                ? new WatchedStorage(here, (long) rounds * ROUND_BYTES, () -> job.killSelf(victim))
                : Storage.of(ByteBuffer.wrap(here));
    }
}

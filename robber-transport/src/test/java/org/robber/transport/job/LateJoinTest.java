package org.robber.transport.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.ChannelOptions;
import org.robber.ChannelOptions.OnLoss;
import org.robber.Communicator;
import org.robber.JobOptions;
import org.robber.JoinedNode;
import org.robber.Joiner;
import org.robber.MulticastChannel;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.TransferStats;

/** Nodes that join while a multicast goes on: over real sockets, held at the root until they are in. */
@Timeout(120)
class LateJoinTest {
    private static final int BYTES = 1 << 20;
    private static final int PIECE_BYTES = 1 << 12;
    private static final long LIMIT_SECONDS = 60;
    private static final byte[] DESCRIPTION = new byte[(1 << 20) + 5];
    private static final byte[] RESULT = "well".getBytes(UTF_8);

    private final byte[] data = new byte[BYTES];
    private final Map<Integer, byte[]> received = new ConcurrentHashMap<>();
    private final Map<Integer, TransferStats> stats = new ConcurrentHashMap<>();

    /** Lets the root read everything. */
    private final CountDownLatch go = new CountDownLatch(1);

    private final CompletableFuture<List<JoinedNode>> joined = new CompletableFuture<>();
    private ChannelOptions options =
            ChannelOptions.defaults().withPieceBytes(PIECE_BYTES).withOnLoss(OnLoss.COMPLETE_SURVIVORS);

    LateJoinTest() {
        new Random(1).nextBytes(data);
        new Random(2).nextBytes(DESCRIPTION);
    }

    /** The root's data, of which no more than some half can be read until somebody says so, whichever that is. */
    private final class Held implements Storage {
        private final AtomicInteger reads = new AtomicInteger();
        private final Storage memory = Storage.of(ByteBuffer.wrap(data));

        @Override
        public long sizeBytes() {
            return BYTES;
        }

        @Override
        public void read(long offsetBytes, ByteBuffer target) throws IOException {
            if (reads.incrementAndGet() > BYTES / PIECE_BYTES / 2) {
                try {
                    if (!go.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                        throw new IOException("nobody said so");
                    }
                } catch (InterruptedException e) {
                    throw new InterruptedIOException();
                }
            }
            memory.read(offsetBytes, target);
        }

        @Override
        public void write(long offsetBytes, ByteBuffer source) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            // Memory.
        }
    }

    private void member(Communicator world, MortalJob job) {
        MulticastChannel channel = world.multicastChannel(options);
        job.opened(world.rank(), channel);
        byte[] mine = new byte[BYTES];
        received.put(world.rank(), mine);
        if (world.rank() == 0) {
            channel.letJoin(DESCRIPTION);
            channel.multicast(new Held());
        } else {
            channel.multicast(Storage.of(ByteBuffer.wrap(mine)));
        }
        channel.flush();
        stats.put(world.rank(), channel.lastStats());
        if (world.rank() == 0) {
            joined.complete(world.control().releaseJoiners());
        }
        channel.close();
    }

    private void start(MortalJob job) {
        job.start(world -> member(world, job));
    }

    private static JobOptions late(MortalJob job, String cluster) throws Exception {
        return patient(JobOptions.of("mortal", "127.0.0.1", job.port(), 1, 2))
                .withCluster(cluster)
                .withConnectTimeout(Duration.ofSeconds(20));
    }

    /** However slow the machine is, no piece is asked for twice. */
    private static JobOptions patient(JobOptions options) {
        return options.withPeerStallTimeout(Duration.ofMinutes(10));
    }

    /** Takes part to the end. */
    private byte[] join(JobOptions options, Runnable whenItHasSomething) {
        byte[] mine = new byte[BYTES];
        try (Joiner joiner = Joiner.join(options)) {
            assertThat(joiner.description()).isEqualTo(DESCRIPTION);
            assertThat(joiner.totalBytes()).isEqualTo(BYTES);
            assertThat(joiner.pieceBytes()).isEqualTo(PIECE_BYTES);
            joiner.receive(new WatchedStorage(mine, 1, whenItHasSomething), 1 << 22, 5);
            joiner.awaitRelease();
            joiner.tell(RESULT);
            stats.put(joiner.rank(), joiner.stats());
        }
        return mine;
    }

    private List<JoinedNode> joined() throws Exception {
        return joined.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    private static void assertEnds(MortalJob job, int... ranks) throws Exception {
        for (int rank : ranks) {
            Throwable thrown = job.end(rank);
            if (thrown != null) {
                throw new AssertionError("rank " + rank, thrown);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"robber", "mob", "bittorrent", "chain"})
    void whoJoinsGetsEverythingFromItsOwnCluster(String strategy) throws Exception {
        options = options.withStrategy(strategy);
        try (MortalJob job = new MortalJob(LateJoinTest::patient, 2, 2)) {
            start(job);
            assertThat(join(late(job, "B"), go::countDown)).isEqualTo(data);
            assertEnds(job, 0, 1, 2, 3);
            JoinedNode node = joined().get(0);
            assertThat(joined()).hasSize(1);
            assertThat(node.name()).isEqualTo("B-2");
            assertThat(node.rank()).isEqualTo(4);
            assertThat(node.result()).isEqualTo(RESULT);
            assertThat(node.failure()).isNull();
            assertThat(node.bytesDone()).isEqualTo(BYTES);
            assertThat(stats.get(4).bytesReceivedFromCluster()).containsExactly(0L, (long) BYTES);
            long entered = stats.get(2).bytesReceivedFromCluster().get(0)
                    + stats.get(3).bytesReceivedFromCluster().get(0);
            if (!strategy.equals("bittorrent")) {
                assertThat(entered).isEqualTo(BYTES);
            }
        }
    }

    @Test
    void aRootThatIsAloneEndsIfNobodyJoins() throws Exception {
        go.countDown();
        try (MortalJob job = new MortalJob(LateJoinTest::patient, 1)) {
            start(job);
            assertEnds(job, 0);
            assertThat(joined()).isEmpty();
        }
    }

    @Test
    void whoComesBeforeThereIsAnythingWaits() throws Exception {
        try (MortalJob job = new MortalJob(LateJoinTest::patient, 2, 1)) {
            JobOptions options = late(job, "C");
            AtomicInteger in = new AtomicInteger();
            Runnable oneIsIn = () -> {
                if (in.incrementAndGet() == 2) {
                    go.countDown();
                }
            };
            CompletableFuture<byte[]> first = CompletableFuture.supplyAsync(() -> join(options, oneIsIn));
            CompletableFuture<byte[]> second = CompletableFuture.supplyAsync(() -> join(options, oneIsIn));
            start(job);
            assertThat(first.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo(data);
            assertThat(second.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isEqualTo(data);
            assertEnds(job, 0, 1, 2);
            assertThat(joined()).extracting(JoinedNode::name).containsExactly("C-0", "C-1");
            // Nobody was at home.
            assertThat(stats.get(3).bytesReceivedFromCluster().get(0)
                            + stats.get(3).bytesReceivedFromCluster().get(1))
                    .isEqualTo(BYTES);
        }
    }

    @Test
    void ifAJoinerDiesTheOthersEndAsIfItHadNeverBeen() throws Exception {
        try (MortalJob job = new MortalJob(LateJoinTest::patient, 1, 2)) {
            start(job);
            JobOptions options = late(job, "B");
            CompletableFuture<Joiner> joiner = new CompletableFuture<>();
            CompletableFuture<Void> dying = CompletableFuture.runAsync(() -> {
                Joiner own = Joiner.join(options);
                joiner.complete(own);
                own.receive(
                        new WatchedStorage(new byte[BYTES], 1, () -> {
                            own.close();
                            go.countDown();
                        }),
                        1 << 22,
                        5);
            });
            assertEnds(job, 0, 1, 2);
            assertThat(received.get(1)).isEqualTo(data);
            assertThat(received.get(2)).isEqualTo(data);
            assertThat(joined()).singleElement().satisfies(node -> {
                assertThat(node.result()).isNull();
                assertThat(node.failure()).isNotNull();
            });
            assertThat(dying).failsWithin(Duration.ofSeconds(LIMIT_SECONDS));
        }
    }

    @Test
    void ifAMateDiesTheJoinerGoesOnWithTheOther() throws Exception {
        try (MortalJob job = new MortalJob(LateJoinTest::patient, 1, 2)) {
            start(job);
            byte[] mine = join(late(job, "B"), () -> {
                job.kill(2);
                go.countDown();
            });
            assertThat(mine).isEqualTo(data);
            assertEnds(job, 0, 1);
            assertThat(joined()).singleElement().extracting(JoinedNode::failure).isNull();
            // What had come from the dead one, and was not stored yet, is asked for again.
            assertThat(stats.get(3).bytesReceivedFromCluster().get(0)).isZero();
            assertThat(stats.get(3).bytesReceivedFromCluster().get(1)).isGreaterThanOrEqualTo(BYTES);
        }
    }

    @Test
    void aJobThatCannotBeJoinedSaysSoAtOnce() throws Exception {
        try (MortalJob job = new MortalJob(LateJoinTest::patient, 1, 1)) {
            CountDownLatch tried = new CountDownLatch(1);
            job.start(world -> {
                if (world.rank() == 0) {
                    world.control().refuseJoiners("it copies a stream");
                }
                tried.await();
            });
            RobberException refused = catchThrowableOfType(RobberException.class, () -> Joiner.join(late(job, "B")));
            assertThat(refused.reason()).isEqualTo(Reason.USAGE);
            assertThat(refused).hasMessageContaining("can't be joined: it copies a stream");
            tried.countDown();
            assertThat(job.end(0)).isNull();
            assertThat(job.end(1)).isNull();
        }
    }

    @Test
    void whoComesWhenAllIsOverIsToldSo() throws Exception {
        go.countDown();
        try (MortalJob job = new MortalJob(LateJoinTest::patient, 1, 1)) {
            start(job);
            assertEnds(job, 0, 1);
            RobberException refused = catchThrowableOfType(RobberException.class, () -> Joiner.join(late(job, "B")));
            assertThat(refused.reason()).isEqualTo(Reason.NETWORK);
            assertThat(refused).hasMessageContaining("can't be joined any more");
            assertThat(joined()).isEmpty();
        }
    }

    @Test
    void ifTheJobFailsSoDoesTheJoiner() throws Exception {
        try (MortalJob job = new MortalJob(LateJoinTest::patient, 1, 2)) {
            start(job);
            RobberException failure =
                    catchThrowableOfType(RobberException.class, () -> join(late(job, "B"), () -> job.kill(0)));
            assertThat(failure.reason()).isEqualTo(Reason.NETWORK);
            assertThat(failure.ranks()).contains(0);
            go.countDown();
            assertThat(job.end(1)).isInstanceOf(RobberException.class);
        }
    }

    @Test
    void strangersDoNotJoin() throws Exception {
        go.countDown();
        try (MortalJob job = new MortalJob(options -> patient(options).withSecret(new byte[] {1, 2, 3}), 1, 1)) {
            start(job);
            JobOptions other = late(job, "B").withSecret(new byte[] {3, 2, 1});
            assertThatThrownBy(() -> Joiner.join(other))
                    .isInstanceOfSatisfying(
                            RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.AUTHENTICATION));
            JobOptions wrongName = JobOptions.of("other", "127.0.0.1", job.port(), 1, 2)
                    .withSecret(new byte[] {1, 2, 3})
                    .withConnectTimeout(Duration.ofSeconds(20));
            assertThatThrownBy(() -> Joiner.join(wrongName))
                    .isInstanceOfSatisfying(
                            RobberException.class, e -> assertThat(e.reason()).isEqualTo(Reason.USAGE));
            assertEnds(job, 0, 1);
        }
    }
}

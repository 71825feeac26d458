package org.robber.transport.job;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
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
import org.robber.MulticastChannel;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.TransferStats;
import org.robber.core.topology.Topology;
import org.robber.transport.control.ControlMessage.Member;
import org.robber.transport.job.peer.Nearness;

/** Multicasts of few bytes, which go through rank 0. */
class PublishedMulticastTest {
    private static final int NODES = 5;

    /** The most that is published to so many nodes of one machine. */
    private static final int MOST_BYTES = (1 << 20) / NODES;

    @TempDir
    private Path folder;

    private static byte[] random(int bytes, long seed) {
        byte[] data = new byte[bytes];
        new Random(seed).nextBytes(data);
        return data;
    }

    /** The last size goes in pieces, so both ways follow each other. */
    @ParameterizedTest
    @ValueSource(strings = {"crc32-pair", "sha256"})
    void everyNodeGetsEveryByteFromEachRootInMemoryAndFiles(String digest) throws Exception {
        try (Cluster cluster = new Cluster(1, 3, 2)) {
            cluster.run(world -> {
                try (MulticastChannel channel =
                        world.multicastChannel(ChannelOptions.defaults().withDigest(digest))) {
                    for (int bytes : List.of(0, 1, 1000, MOST_BYTES, MOST_BYTES + 1)) {
                        for (int root = 0; root < NODES; root++) {
                            byte[] data = random(bytes, bytes + root);
                            ByteBuffer memory = world.rank() % 2 == 0
                                    ? ByteBuffer.allocateDirect(bytes)
                                    : ByteBuffer.allocate(bytes);
                            boolean inFile = (world.rank() + root) % 3 == 0;
                            try (Storage storage = inFile
                                    ? Storage.of(
                                            FileChannel.open(
                                                    folder.resolve("rank-" + world.rank()), CREATE, READ, WRITE),
                                            bytes)
                                    : Storage.of(memory)) {
                                storage.write(0, ByteBuffer.wrap(world.rank() == root ? data : new byte[bytes]));
                                channel.multicast(storage, root);
                                ByteBuffer here = ByteBuffer.allocate(bytes);
                                storage.read(0, here);
                                assertThat(here.array())
                                        .as("%s bytes from rank %s", bytes, root)
                                        .isEqualTo(data);
                                channel.flush();
                            }
                        }
                    }
                }
            });
        }
    }

    @Test
    void whatIsPublishedDependsOnTheNodesAndTheirDistances() {
        Topology clusters = Topology.ofSizes(2, 2);
        assertThat(PublishedMulticast.mostBytes(new Nearness(members("10.0.0.", 4), clusters)))
                .isEqualTo(1 << 14);
        assertThat(PublishedMulticast.mostBytes(new Nearness(members("10.0.0.", 4), Topology.ofSizes(4))))
                .isEqualTo(1 << 18);
        assertThat(PublishedMulticast.mostBytes(new Nearness(members("127.0.0.", 4), clusters)))
                .isEqualTo(1 << 18);
        assertThat(PublishedMulticast.mostBytes(new Nearness(members("10.0.0.", 1), Topology.ofSizes(1))))
                .as("one message carries it, with its digest")
                .isEqualTo(1 << 19);
    }

    private static List<Member> members(String network, int count) {
        return IntStream.range(0, count)
                .mapToObj(rank -> new Member("A", "host", rank, network + (rank + 1), 1000))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"robber, 0", "robber, 1", "auto, 1"})
    void countsWhatGoesThroughRankZero(String strategy, int root) throws Exception {
        try (Cluster cluster = new Cluster(1, 3, 2)) {
            cluster.run(world -> {
                try (MulticastChannel channel =
                        world.multicastChannel(ChannelOptions.defaults().withStrategy(strategy))) {
                    channel.multicast(new byte[100], root);
                    channel.flush();
                    TransferStats stats = channel.lastStats();
                    assertThat(stats.bytes()).isEqualTo(100);
                    assertThat(stats.bytesReceivedFromCluster()).containsExactly(world.rank() == root ? 0L : 100L, 0L);
                    assertThat(stats.bytesSentToCluster())
                            .isEqualTo(
                                    world.rank() == 0
                                            ? List.of(200L, 200L)
                                            : List.of(world.rank() == root ? 100L : 0L, 0L));
                }
            });
        }
    }

    /** Few bytes are published, and of others the digest of the root is. */
    @ParameterizedTest
    @CsvSource({"crc32-pair, 100", "sha256, 100", "sha256, 300000"})
    void whatAnotherNodePublishesInThePlaceOfTheRootIsOfNoEffect(String digest, int bytes) throws Exception {
        byte[] data = random(bytes, 7);
        try (Cluster cluster = new Cluster(1, 3, 2)) {
            int liar = 1;
            AtomicInteger lies = new AtomicInteger();
            cluster.controlPlane().alterPublications((topic, payload) -> {
                if (topic.contains(" of multicast ") && lies.getAndIncrement() == 0) {
                    cluster.controlPlane().of(liar).publish(topic, random(payload.length, 8));
                }
                return payload;
            });
            cluster.run(world -> {
                try (MulticastChannel channel =
                        world.multicastChannel(ChannelOptions.defaults().withDigest(digest))) {
                    byte[] here = world.rank() == 0 ? data.clone() : new byte[bytes];
                    channel.multicast(here);
                    channel.flush();
                    assertThat(here).isEqualTo(data);
                }
            });
            assertThat(lies).as("the lie comes first").hasValue(2);
        }
    }

    @Test
    void bytesThatHaveChangedOnTheirWayEndTheJob() throws Exception {
        try (Cluster cluster = new Cluster(1, 2, 1)) {
            cluster.controlPlane().alterPublications((topic, payload) -> {
                payload[payload.length - 1] ^= 1;
                return payload;
            });
            assertThatThrownBy(() -> cluster.run(world -> {
                        try (MulticastChannel channel = world.multicastChannel(ChannelOptions.defaults())) {
                            channel.multicast(new byte[100]);
                        }
                    }))
                    .isInstanceOfSatisfying(RobberException.class, failure -> {
                        assertThat(failure.reason()).isEqualTo(Reason.INTEGRITY);
                        assertThat(failure).hasMessageContaining("does not match its digest");
                    });
        }
    }

    @Test
    void nodesThatDisagreeOnTheSizeAreNamedThoughOneSizeGoesInPieces() throws Exception {
        try (MortalJob job = new MortalJob(2)) {
            job.start(world -> {
                try (MulticastChannel channel = world.multicastChannel(ChannelOptions.defaults())) {
                    channel.multicast(new byte[world.rank() == 0 ? 10 : 1_000_000]);
                    channel.flush();
                }
            });
            for (int rank = 0; rank < 2; rank++) {
                assertThat(job.end(rank)).isInstanceOfSatisfying(RobberException.class, failure -> {
                    assertThat(failure.reason()).isEqualTo(Reason.USAGE);
                    assertThat(failure).hasMessageContainingAll("10 bytes", "1000000 bytes");
                });
            }
        }
    }

    @Test
    void aRootThatIsLostBeforeItHasPublishedEndsTheJob() throws Exception {
        try (MortalJob job = new MortalJob(2, 2)) {
            int root = 3;
            job.start(world -> {
                try (MulticastChannel channel =
                        world.multicastChannel(ChannelOptions.defaults().withOnLoss(OnLoss.COMPLETE_SURVIVORS))) {
                    job.opened(world.rank(), channel);
                    if (world.rank() == root) {
                        job.kill(root);
                    }
                    channel.multicast(new byte[10], root);
                    channel.flush();
                }
            });
            for (int rank = 0; rank < 3; rank++) {
                job.assertLostWithRoot(rank, root, "B-1 (rank 3");
            }
        }
    }

    @Test
    void theOthersGoOnAfterTheLossOfARootThatHasFlushed() throws Exception {
        try (MortalJob job = new MortalJob(2, 2)) {
            int root = 3;
            job.start(world -> {
                try (MulticastChannel channel =
                        world.multicastChannel(ChannelOptions.defaults().withOnLoss(OnLoss.COMPLETE_SURVIVORS))) {
                    job.opened(world.rank(), channel);
                    byte[] first = {(byte) (world.rank() == root ? 7 : 0)};
                    channel.multicast(first, root);
                    channel.flush();
                    assertThat(first).containsExactly(7);
                    if (world.rank() == root) {
                        job.kill(root);
                    }
                    byte[] second = {(byte) (world.rank() == 0 ? 8 : 0)};
                    channel.multicast(second, 0);
                    channel.flush();
                    assertThat(second).containsExactly(8);
                    assertThat(channel.missing()).containsOnlyKeys(root);
                }
            });
            for (int rank = 0; rank < root; rank++) {
                assertThat(job.end(rank)).as("rank %s", rank).isNull();
            }
        }
    }

    @Test
    void theOthersGoOnWithoutALostReceiver() throws Exception {
        Map<Integer, Map<Integer, RobberException>> missing = new ConcurrentHashMap<>();
        try (MortalJob job = new MortalJob(2, 2)) {
            int victim = 1;
            byte[] data = random(1000, 1);
            job.start(world -> {
                try (MulticastChannel channel =
                        world.multicastChannel(ChannelOptions.defaults().withOnLoss(OnLoss.COMPLETE_SURVIVORS))) {
                    job.opened(world.rank(), channel);
                    if (world.rank() == victim) {
                        job.kill(victim);
                    }
                    for (int root : List.of(0, 2, 3)) {
                        byte[] here = world.rank() == root ? data.clone() : new byte[data.length];
                        channel.multicast(here, root);
                        assertThat(here).isEqualTo(data);
                        channel.flush();
                        missing.merge(world.rank(), channel.missing(), (one, other) -> one.isEmpty() ? other : one);
                    }
                }
            });
            for (int rank : List.of(0, 2, 3)) {
                assertThat(job.end(rank)).as("rank %s", rank).isNull();
            }
        }
        assertThat(missing)
                .containsOnlyKeys(0, 2, 3)
                .allSatisfy((rank, lost) -> assertThat(lost).containsOnlyKeys(1));
    }

    @Test
    void aNodeInTheMiddleOfAnEarlierCallIsWaitedFor() throws Exception {
        CountDownLatch others = new CountDownLatch(NODES - 2);
        try (Cluster cluster = new Cluster(1, 3, 2)) {
            cluster.run(world -> {
                try (MulticastChannel channel = world.multicastChannel(ChannelOptions.defaults())) {
                    if (world.rank() == 4) {
                        others.await();
                    }
                    byte[] here = {(byte) (world.rank() == 0 ? 7 : 0)};
                    channel.multicast(here);
                    assertThat(here).containsExactly(7);
                    if (world.rank() != 0) {
                        others.countDown();
                    }
                    channel.flush();
                    assertThat(others.getCount())
                            .as("nodes that have not returned")
                            .isZero();
                }
            });
        }
    }
}

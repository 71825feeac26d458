package org.robber.transport.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.robber.ChannelOptions;
import org.robber.MulticastChannel;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.Storage;
import org.robber.TransferStats;
import org.robber.transport.link.GuardedStorage;

class NettyMulticastChannelTest {

    private static byte[] random(int bytes, long seed) {
        byte[] data = new byte[bytes];
        new Random(seed).nextBytes(data);
        return data;
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 0", "0, 7", "1, 7", "4096, 1", "100000, 999", "5000000, 0", "3000001, 70000"})
    void everyNodeGetsEveryByteInMemoryOfEitherKind(int bytes, int pieceBytes) throws Exception {
        byte[] data = random(bytes, bytes);
        try (Cluster cluster = new Cluster(1, 3, 2)) {
            cluster.run(world -> {
                try (MulticastChannel channel =
                        world.multicastChannel(ChannelOptions.defaults().withPieceBytes(pieceBytes))) {
                    byte[] heap = world.rank() == 0 ? data.clone() : new byte[bytes];
                    channel.multicast(heap);
                    assertThat(heap).isEqualTo(data);
                    ByteBuffer direct = ByteBuffer.allocateDirect(bytes);
                    if (world.rank() == 1) {
                        direct.put(data).flip();
                    }
                    channel.multicast(Storage.of(direct), 1);
                    byte[] received = new byte[bytes];
                    direct.get(0, received);
                    assertThat(received).isEqualTo(data);
                }
            });
        }
    }

    /** At a receiver and at the root; published, in one piece, and in two. */
    @ParameterizedTest
    @CsvSource({"2, 0, DESTINATION", "2, 1000, DESTINATION", "2, 500, DESTINATION", "1, 0, SOURCE", "1, 500, SOURCE"})
    void aStorageThatNeverAnswersEndsTheJob(int rank, int pieceBytes, Reason reason) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Runnable stuck = GuardedStorage.stuckUntil(end);
        try (Cluster cluster = new Cluster(4, 3)) {
            cluster.limitStalls(Duration.ofSeconds(1));
            assertThatThrownBy(() -> cluster.run(world -> {
                        try (MulticastChannel channel =
                                world.multicastChannel(ChannelOptions.defaults().withPieceBytes(pieceBytes))) {
                            Storage memory = Storage.of(ByteBuffer.allocate(1000));
                            channel.multicast(
                                    world.rank() == rank ? new GuardedStorage(memory, stuck::run) : memory, 1);
                        }
                    }))
                    .isInstanceOfSatisfying(RobberException.class, failure -> {
                        assertThat(failure.reason()).isEqualTo(reason);
                        assertThat(failure.ranks()).containsExactly(rank);
                        assertThat(failure).hasMessageContaining("nothing has moved for 1 s");
                    });
        } finally {
            end.countDown();
        }
    }

    @Test
    void channelsThatAreClosedLeaveNothingBehind() throws Exception {
        try (Cluster cluster = new Cluster(5, 2, 1)) {
            cluster.run(world -> {
                for (int i = 0; i < 10; i++) {
                    try (MulticastChannel channel = world.multicastChannel(ChannelOptions.defaults())) {
                        channel.multicast(new byte[10]);
                    }
                }
            });

            assertThat(cluster.controlPlane().failureListeners())
                    .as("one of each node's communicator, and one of its mesh")
                    .isEqualTo(6);
        }
    }

    @Test
    void manyMulticastsInARowReuseTheConnections() throws Exception {
        try (Cluster cluster = new Cluster(2, 2, 2, 1)) {
            cluster.run(world -> {
                try (MulticastChannel channel =
                        world.multicastChannel(ChannelOptions.defaults().withPieceBytes(1000))) {
                    for (int i = 0; i < 50; i++) {
                        int root = i % world.size();
                        byte[] expected = random(i * 321, i);
                        byte[] data = world.rank() == root ? expected.clone() : new byte[expected.length];
                        channel.multicast(Storage.of(ByteBuffer.wrap(data)), root);
                        assertThat(data).isEqualTo(expected);
                    }
                }
            });
        }
    }

    @Test
    void theWideAreaIsCrossedOnceAndTheCountsSaySo() throws Exception {
        int bytes = 4_000_000;
        byte[] data = random(bytes, 3);
        try (Cluster cluster = new Cluster(3, 4, 4)) {
            cluster.run(world -> {
                try (MulticastChannel channel = world.multicastChannel(ChannelOptions.defaults())) {
                    byte[] here = world.rank() == 0 ? data.clone() : new byte[bytes];
                    channel.multicast(here);
                    channel.flush();
                    TransferStats stats = channel.lastStats();
                    long received = stats.bytesReceivedFromCluster().stream()
                            .mapToLong(Long::longValue)
                            .sum();
                    assertThat(received).isEqualTo(world.rank() == 0 ? 0 : bytes);
                    long fromA = stats.bytesReceivedFromCluster().get(0);
                    long entered = world
                            .control()
                            .gather(ByteBuffer.allocate(8)
                                    .putLong(world.clusterOf(world.rank()) == 1 ? fromA : 0)
                                    .array())
                            .stream()
                            .mapToLong(each -> ByteBuffer.wrap(each).getLong())
                            .sum();
                    if (world.rank() == 0) {
                        assertThat(entered).isEqualTo(bytes);
                    }
                    assertThat(stats.controlBytesSent()).isLessThan(bytes / 100);
                    assertThat(stats.messagesSent()).isPositive();
                }
            });
        }
    }

    @Test
    void everyoneHearsWhyANodeCannotConnect() throws Exception {
        try (ServerSocket stranger = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Cluster cluster = new Cluster(
                        1,
                        (rank, address) -> rank == 0
                                ? new InetSocketAddress(address.getAddress(), stranger.getLocalPort())
                                : address,
                        2)) {
            Thread answers = new Thread(() -> talkNonsense(stranger));
            answers.start();

            // Rank 0, whom nobody reaches, has no trouble of its own.
            assertThatThrownBy(() -> cluster.run(world -> {
                        if (world.rank() == 0) {
                            world.multicastChannel(ChannelOptions.defaults());
                        } else {
                            assertThatThrownBy(() -> world.multicastChannel(ChannelOptions.defaults()))
                                    .isInstanceOf(RobberException.class);
                        }
                    }))
                    .isInstanceOfSatisfying(RobberException.class, failure -> {
                        assertThat(failure.reason()).isEqualTo(Reason.NETWORK);
                        assertThat(failure.phase()).isEqualTo("connect");
                        assertThat(failure).hasMessageContaining("the greeting failed: ");
                    });
            answers.join();
        }
    }

    private static void talkNonsense(ServerSocket stranger) {
        try (Socket caller = stranger.accept()) {
            caller.getOutputStream().write(new byte[1000]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void nothingIsReceivedIntoAReadOnlyBuffer() throws Exception {
        try (Cluster cluster = new Cluster(1, 1, 1)) {
            cluster.run(world -> {
                MulticastChannel channel = world.multicastChannel(ChannelOptions.defaults());
                if (world.rank() == 1) {
                    ByteBuffer fixed = ByteBuffer.allocate(10).asReadOnlyBuffer();
                    assertThatThrownBy(() -> channel.multicast(fixed))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("read-only");
                }
            });
        }
    }
}

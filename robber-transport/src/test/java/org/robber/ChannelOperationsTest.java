package org.robber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.robber.RobberException.Reason;

/** What channels do beside multicasts of one root, one after the other. */
class ChannelOperationsTest {
    /** Whole pieces: padding counts as received. */
    private static final int LARGE = 36 << 15;

    private static byte[] random(int bytes, long seed) {
        byte[] data = new byte[bytes];
        new Random(seed).nextBytes(data);
        return data;
    }

    /** A channel of all nodes, and one of some. */
    private static final List<Function<Communicator, Communicator>> KINDS =
            List.of(world -> world, world -> world.group(2, 0, 3).orElse(null));

    /** Runs the program with channels of both kinds. */
    private static void withChannels(ChannelOptions options, ChannelProgram program) {
        for (Function<Communicator, Communicator> kind : KINDS) {
            try (LocalJob job = Robber.local(2, 2)) {
                job.run(world -> {
                    Communicator nodes = kind.apply(world);
                    if (nodes != null) {
                        try (MulticastChannel channel = nodes.multicastChannel(options)) {
                            program.run(nodes, channel);
                        }
                    }
                    world.barrier();
                });
            }
        }
    }

    private interface ChannelProgram {
        void run(Communicator nodes, MulticastChannel channel);
    }

    @Test
    void everyKindOfDataComesFromAnyRoot() {
        withChannels(ChannelOptions.defaults(), (nodes, channel) -> {
            for (int root = 0; root < nodes.size(); root++) {
                byte[] expected = random(LARGE, root);
                boolean isRoot = nodes.rank() == root;
                byte[] array = isRoot ? expected.clone() : new byte[LARGE];
                channel.multicast(array, root);
                ByteBuffer buffer = ByteBuffer.wrap(isRoot ? expected.clone() : new byte[LARGE]);
                channel.multicast(buffer, root);
                ByteBuffer memory = ByteBuffer.allocateDirect(LARGE).put(0, isRoot ? expected : new byte[LARGE]);
                channel.multicast(Storage.of(memory), root);
                channel.flush();
                assertThat(array).isEqualTo(expected);
                assertThat(buffer.array()).isEqualTo(expected);
                assertThat(memory).isEqualTo(ByteBuffer.wrap(expected));
                long received = channel.lastStats().bytesReceivedFromCluster().stream()
                        .mapToLong(Long::longValue)
                        .sum();
                assertThat(received).isEqualTo(isRoot ? 0 : LARGE);
            }
        });
    }

    @Test
    void severalMulticastsAreUnderWayAtOnce() {
        ChannelOptions options = ChannelOptions.defaults().withDigest("sha256").withPieceBytes(10_000);
        withChannels(options, (nodes, channel) -> {
            List<Operation<Void>> underWay = new ArrayList<>();
            List<byte[]> data = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int root = i % nodes.size();
                int other = (i + 1) % nodes.size();
                boolean has = nodes.rank() == root || nodes.rank() == other;
                data.add(has ? random(i * 40_000, i) : new byte[i * 40_000]);
                underWay.add(channel.imulticast(data.get(i), root, other));
            }
            // Other calls of the channel may be made meanwhile.
            byte[] between = nodes.rank() == 1 ? random(LARGE, 77) : new byte[LARGE];
            channel.multicast(between, 1);
            assertThat(between).isEqualTo(random(LARGE, 77));
            underWay.forEach(Operation::await);
            for (int i = 0; i < 8; i++) {
                assertThat(underWay.get(i).test()).isTrue();
                assertThat(underWay.get(i).progress()).isEqualTo(1);
                assertThat(data.get(i)).isEqualTo(random(i * 40_000, i));
            }
        });
    }

    @Test
    void onlyTheRootKnowsTheSize() {
        withChannels(ChannelOptions.defaults(), (nodes, channel) -> {
            for (int count : new int[] {0, 1, 50_000}) {
                float[] sent = new float[count];
                Arrays.fill(sent, 0.5f);
                boolean isRoot = nodes.rank() == 1;
                float[] room = isRoot ? sent : new float[50_007];
                Operation<Long> upTo = channel.imulticastUpTo(room, 1);
                Operation<float[]> made = channel.imulticast(isRoot ? sent : null, float[]::new, 1);
                Operation<Storage> storage = channel.imulticastStorage(
                        isRoot ? Storage.of(ByteBuffer.allocate(count).put(0, new byte[count])) : null,
                        Storage::allocateDirect,
                        1);
                assertThat(upTo.await()).isEqualTo(count);
                assertThat(Arrays.copyOf(room, count)).isEqualTo(sent);
                assertThat(made.await()).isEqualTo(sent);
                assertThat(storage.await().sizeBytes()).isEqualTo(count);
            }
        });
    }

    @Test
    void nodesHaveStripes() {
        withChannels(ChannelOptions.defaults(), (nodes, channel) -> {
            byte[] expected = random(LARGE, 5);
            byte[] data = new byte[LARGE];
            int first = LARGE / nodes.size() * nodes.rank();
            int end = nodes.rank() == nodes.size() - 1 ? LARGE : LARGE / nodes.size() * (nodes.rank() + 1);
            System.arraycopy(expected, first, data, first, end - first);
            channel.imulticast(data, List.of(new ElementRange(first, end))).await();
            assertThat(data).isEqualTo(expected);
        });
    }

    @Test
    void streamsUseTheOptionsOfTheChannel() {
        withChannels(ChannelOptions.defaults().withPieceBytes(1 << 20), (nodes, channel) -> {
            try (MulticastStream stream = channel.openStream(0)) {
                if (nodes.rank() == 0) {
                    stream.write(ByteBuffer.wrap(random(LARGE, 6)));
                } else {
                    ByteBuffer read = ByteBuffer.allocate(LARGE + 1);
                    while (stream.read(read) >= 0) {
                        assertThat(read.hasRemaining()).isTrue();
                    }
                    assertThat(Arrays.copyOf(read.array(), LARGE)).isEqualTo(random(LARGE, 6));
                }
            }
        });
    }

    @Test
    void strategiesThatCanOnlyMulticastAreUsedForThat() {
        withChannels(ChannelOptions.defaults().withStrategy("binomial"), (nodes, channel) -> {
            byte[] one = nodes.rank() == 0 ? random(LARGE, 1) : new byte[LARGE];
            byte[] two = random(LARGE, 2);
            Operation<Void> single = channel.imulticast(one, 0);
            channel.imulticast(two, 0, 1).await();
            single.await();
            assertThat(one).isEqualTo(random(LARGE, 1));
        });
    }

    @Test
    void aChannelOfSomeNodesCannotResume() {
        try (LocalJob job = Robber.local(1, 2)) {
            job.run(world -> {
                MulticastChannel channel = world.group(1, 0).orElseThrow().multicastChannel(ChannelOptions.defaults());
                assertThatThrownBy(() -> channel.resume(Storage.allocateDirect(1), 0))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessage("resume needs a channel of all nodes of the job");
                assertThatThrownBy(() -> channel.letJoin(new byte[0]))
                        .isInstanceOf(UnsupportedOperationException.class);
                channel.close();
                channel.close();
                assertThatThrownBy(() -> channel.multicast(new byte[1])).hasMessage("the channel is closed");
                assertThatThrownBy(() -> channel.imulticast(new byte[1], 0)).hasMessage("the channel is closed");
            });
        }
    }

    @Test
    void aCallOfTheChannelWhereOthersBeginAnOperationIsNamed() {
        try (LocalJob job = Robber.local(1, 3)) {
            assertThatThrownBy(() -> job.run(world -> {
                        MulticastChannel channel = world.multicastChannel(ChannelOptions.defaults());
                        channel.imulticast(new byte[1], 0).await();
                        if (world.rank() == 1) {
                            channel.multicast(new byte[20]);
                        } else {
                            channel.imulticast(new byte[20], 0).await();
                        }
                        channel.close();
                    }))
                    .isInstanceOfSatisfying(RobberException.class, failure -> {
                        assertThat(failure.reason()).as(failure.toString()).isEqualTo(Reason.USAGE);
                        assertThat(failure)
                                .hasMessageContaining("bcast from rank 0 of 20 byte")
                                .hasMessageContaining("multicast 0 of 20 bytes");
                    });
        }
    }

    /** A flush that returns says that every node has the last data. */
    @Test
    void aFlushAfterAMulticastThatFailedThrowsToo() {
        AtomicInteger refused = new AtomicInteger();
        try (LocalJob job = Robber.local(1, 3)) {
            job.run(world -> {
                MulticastChannel channel = world.multicastChannel(ChannelOptions.defaults());
                byte[] data = new byte[(world.rank() == 0 ? 8 : 9) << 20];
                assertThatThrownBy(() -> channel.multicast(data, 0)).isInstanceOf(RobberException.class);
                assertThatThrownBy(channel::flush).isInstanceOf(RobberException.class);
                refused.incrementAndGet();
            });
        }
        assertThat(refused).hasValue(3);
    }
}

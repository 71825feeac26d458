package org.robber;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.RobberException.Reason;
import org.robber.core.random.SeededRuns;

class MulticastStreamTest {

    /** Reads all, in pieces of changing sizes; returns length and checksum. */
    private static long[] readAll(MulticastStream stream, Random random) {
        CRC32C checksum = new CRC32C();
        long length = 0;
        ByteBuffer buffer = ByteBuffer.allocate(1 << 20);
        while (true) {
            buffer.clear().limit(1 + random.nextInt(buffer.capacity()));
            int bytes = stream.read(buffer);
            if (bytes < 0) {
                return new long[] {length, checksum.getValue()};
            }
            length += bytes;
            checksum.update(buffer.flip());
        }
    }

    private static long[] writeAll(MulticastStream stream, long length, Random random) {
        CRC32C checksum = new CRC32C();
        byte[] bytes = new byte[1 << 20];
        for (long rest = length; rest > 0; ) {
            int next = (int) Math.min(rest, 1 + random.nextInt(bytes.length));
            random.nextBytes(bytes);
            ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, next);
            assertThat(stream.write(buffer)).isEqualTo(next);
            assertThat(buffer.hasRemaining()).isFalse();
            checksum.update(bytes, 0, next);
            rest -= next;
        }
        stream.close();
        return new long[] {length, checksum.getValue()};
    }

    /** Without it, the readers of a root that fails would take a part for the whole. */
    @Test
    void anAbortedStreamEndsWithAnErrorAtItsReaders() {
        byte[] sent = "the beginning".getBytes(UTF_8);
        try (LocalJob job = Robber.local(2, 2)) {
            job.run(world -> {
                try (MulticastStream stream = world.openStream(1)) {
                    if (world.rank() == 1) {
                        stream.write(ByteBuffer.wrap(sent));
                        stream.flush();
                        stream.write(ByteBuffer.wrap(new byte[] {1}));
                        stream.abort("the disk is broken " + "x".repeat(2000));
                        assertThat(stream.isOpen()).isFalse();
                    } else {
                        ByteBuffer seen = ByteBuffer.allocate(100);
                        assertThatThrownBy(() -> {
                                    while (stream.read(seen) >= 0) {}
                                })
                                .isInstanceOfSatisfying(RobberException.class, why -> {
                                    assertThat(why.reason()).isEqualTo(Reason.SOURCE);
                                    assertThat(why.ranks()).containsExactly(1);
                                })
                                .hasMessageStartingWith("A-1 (rank 1) has aborted the stream: the disk is broken xxx");
                        assertThat(seen.flip()).isEqualTo(ByteBuffer.wrap(sent));
                        assertThatThrownBy(() -> stream.abort("")).isInstanceOf(NonWritableChannelException.class);
                    }
                }
                world.barrier();
            });
        }
    }

    @Test
    void streamsOfAnyLengthComeInOrder() {
        SeededRuns.run(4, random -> {
            int clusters = 1 + random.nextInt(3);
            int nodes = 1 + random.nextInt(2);
            int root = random.nextInt(clusters * nodes);
            long[] lengths = {0, 1 + random.nextInt(100), 1 + random.nextInt(50_000_000)};
            long[] windows = {0, 12 << 20, 30 << 20};
            StreamOptions options = StreamOptions.defaults().withWindow(windows[random.nextInt(windows.length)]);
            long seed = random.nextLong();
            try (LocalJob job = Robber.local(clusters, nodes)) {
                job.run(world -> {
                    for (long length : lengths) {
                        MulticastStream stream = world.openStream(root, options);
                        Random own = new Random(seed + world.rank());
                        long[] seen = world.rank() == root ? writeAll(stream, length, own) : readAll(stream, own);
                        stream.close();
                        long[] all = new long[2 * world.size()];
                        world.allGather(seen, all);
                        for (int rank = 0; rank < world.size(); rank++) {
                            assertThat(all[2 * rank]).isEqualTo(length);
                            assertThat(all[2 * rank + 1]).isEqualTo(all[1]);
                        }
                    }
                });
            }
        });
    }

    /** Each batch is read by all before the next is written, as in a training loop. */
    @Test
    void flushedBytesComeThoughTheyFillNoChunk() {
        SeededRuns.run(2, random -> {
            int[] batches = new int[40];
            for (int i = 0; i < batches.length; i++) {
                batches[i] = 1 + random.nextInt(i == 20 ? 20_000_000 : 30_000);
            }
            try (LocalJob job = Robber.local(2, 2)) {
                job.run(world -> {
                    MulticastStream stream = world.openStream(1);
                    for (int bytes : batches) {
                        byte[] batch = new byte[bytes];
                        ByteBuffer buffer = ByteBuffer.wrap(batch);
                        if (world.rank() == 1) {
                            Arrays.fill(batch, (byte) bytes);
                            stream.write(buffer);
                            stream.flush();
                            stream.flush();
                        } else {
                            assertThatThrownBy(stream::flush).isInstanceOf(NonWritableChannelException.class);
                            while (buffer.hasRemaining()) {
                                assertThat(stream.read(buffer)).isPositive();
                            }
                            assertThat(batch).containsOnly((byte) bytes);
                        }
                        world.barrier();
                    }
                    stream.close();
                });
            }
        });
    }

    @Test
    void aReaderThatStopsDoesNotHoldTheOthersBack() {
        try (LocalJob job = Robber.local(1, 3)) {
            job.run(world -> {
                MulticastStream stream = world.openStream(0);
                if (world.rank() == 0) {
                    assertThatThrownBy(() -> stream.read(ByteBuffer.allocate(1)))
                            .isInstanceOf(NonReadableChannelException.class);
                    writeAll(stream, 60_000_000, new Random(1));
                } else if (world.rank() == 1) {
                    assertThat(stream.read(ByteBuffer.allocate(10))).isEqualTo(10);
                    stream.close();
                    assertThat(stream.isOpen()).isFalse();
                    assertThatThrownBy(() -> stream.read(ByteBuffer.allocate(1)))
                            .hasMessage("the stream is closed");
                } else {
                    assertThatThrownBy(() -> stream.write(ByteBuffer.allocate(1)))
                            .isInstanceOf(NonWritableChannelException.class);
                    assertThat(readAll(stream, new Random(2))[0]).isEqualTo(60_000_000);
                }
                world.barrier();
            });
        }
    }

    @Test
    void readersLearnThatTheRootHasFailed() {
        try (LocalJob job = Robber.local(1, 3)) {
            assertThatThrownBy(() -> job.run(world -> {
                        MulticastStream stream = world.openStream(1);
                        if (world.rank() == 1) {
                            stream.write(ByteBuffer.allocate(20_000_000));
                            throw new IllegalStateException("out of words");
                        }
                        try {
                            readAll(stream, new Random(3));
                        } catch (RobberException e) {
                            assertThat(e.ranks()).containsExactly(1);
                            assertThat(e).hasMessageContaining("out of words");
                            assertThatThrownBy(() -> stream.read(ByteBuffer.allocate(1)))
                                    .as("a read after the failure is no end of the stream")
                                    .isInstanceOf(RobberException.class)
                                    .hasMessageContaining("out of words");
                            throw e;
                        }
                    }))
                    .hasMessageContaining("out of words");
        }
    }

    /**
     * @param least so much is written at once
     * @param most the windows of the root and of the reader, and a chunk that the reader has begun to read
     */
    @ParameterizedTest
    @CsvSource({"0, 20000000, 250000000, 300000000", "12582912, 8000000, 29360128, 60000000"})
    void aReaderWithoutRoomHoldsTheOthersBack(long window, long least, long most, long all) {
        StreamOptions options = StreamOptions.defaults().withWindow(window);
        AtomicLong written = new AtomicLong();
        CountDownLatch full = new CountDownLatch(1);
        try (LocalJob job = Robber.local(1, 2)) {
            job.run(world -> {
                MulticastStream stream = world.openStream(0, options);
                if (world.rank() == 0) {
                    Thread writer = new Thread(() -> {
                        while (written.get() < all) {
                            written.addAndGet(stream.write(ByteBuffer.allocate(100_000)));
                        }
                        stream.close();
                    });
                    writer.start();
                    // Until it waits: all memory is full.
                    long before = -1;
                    while (written.get() < least || written.get() != before) {
                        before = written.get();
                        writer.join(200);
                    }
                    assertThat(before).isLessThan(most);
                    full.countDown();
                    writer.join();
                    assertThat(written).hasValue(all);
                } else {
                    full.await();
                    assertThat(readAll(stream, new Random(4))[0]).isEqualTo(all);
                }
            });
        }
    }

    /** Rank 1 leaves in peace or with a failure, while its reader has no room. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStreamThatNobodyReadsEndsWithTheJob(boolean fails) throws Exception {
        Set<Thread> earlier = streamThreads();
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        try (LocalJob job = Robber.local(1, 2)) {
            job.run(world -> {
                MulticastStream stream =
                        world.openStream(0, StreamOptions.defaults().withWindow(12 << 20));
                if (world.rank() == 0) {
                    stream.write(ByteBuffer.allocate(12 << 20));
                }
                threads.addAll(streamThreads());
                world.barrier();
            });
            threads.removeAll(earlier);
            assertThat(threads).hasSize(1);
            if (fails) {
                assertThatThrownBy(() -> job.run(world -> {
                            throw new IllegalStateException("out of words");
                        }))
                        .hasMessageContaining("out of words");
                join(threads);
            }
        }
        join(threads);
    }

    private static Set<Thread> streamThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("robber-stream"))
                .collect(Collectors.toSet());
    }

    private static void join(Set<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(20));
            assertThat(thread.isAlive()).as("%s", thread).isFalse();
        }
    }

    @Test
    void aReaderWithoutRoomIsDroppedWhereThatIsChosen() {
        CountDownLatch half = new CountDownLatch(1);
        CountDownLatch dropped = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        StreamOptions options = StreamOptions.defaults().withDropAfter(Duration.ofMillis(300));
        try (LocalJob job = Robber.local(1, 3)) {
            job.run(world -> {
                MulticastStream stream = world.openStream(0, options);
                if (world.rank() == 0) {
                    stream.write(ByteBuffer.allocate(200_000_000));
                    half.countDown();
                    dropped.await();
                    stream.write(ByteBuffer.allocate(60_000_000));
                    over.countDown();
                    stream.close();
                } else if (world.rank() == 1) {
                    assertThat(stream.read(ByteBuffer.allocate(10))).isEqualTo(10);
                    half.await();
                    assertThatThrownBy(() -> stream.read(ByteBuffer.allocate(10)))
                            .isInstanceOfSatisfying(RobberException.class, failure -> {
                                assertThat(failure.reason()).isEqualTo(Reason.DEADLINE);
                                assertThat(failure.ranks()).containsExactly(1);
                                assertThat(failure).hasMessageContaining("was dropped from the stream");
                            });
                    dropped.countDown();
                    stream.close();
                    // Its node stays as long as the others need it.
                    assertThat(over.getCount()).isZero();
                } else {
                    assertThat(readAll(stream, new Random(2))[0]).isEqualTo(260_000_000);
                }
                world.barrier();
            });
        }
    }

    @Test
    void differentOptionsAreNamed() {
        try (LocalJob job = Robber.local(1, 2)) {
            assertThatThrownBy(() -> job.run(world -> world.openStream(
                            0, new StreamOptions(world.rank() == 0 ? null : Duration.ofSeconds(1), 0))))
                    .isInstanceOfSatisfying(
                            RobberException.class,
                            failure -> assertThat(failure.reason()).isEqualTo(Reason.USAGE));
        }
    }
}

package org.robber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.transport.BufferLeaks;

/** A node leaves the job while a thread of its program is in a call. */
@Timeout(60)
class LeaveTest {
    private static final int BYTES = 4 << 20;

    /** A place of data that cannot be read or written before the end of the test. */
    private static final class Late implements Storage {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch end = new CountDownLatch(1);

        @Override
        public long sizeBytes() {
            return BYTES;
        }

        @Override
        public void read(long offsetBytes, ByteBuffer target) throws IOException {
            awaitEnd();
            target.position(target.limit());
        }

        private void awaitEnd() throws IOException {
            begun.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }

        @Override
        public void write(long offsetBytes, ByteBuffer source) throws IOException {
            awaitEnd();
        }

        @Override
        public void close() {}
    }

    private static JobOptions options(int rank, int port) {
        return options(rank, port, 2);
    }

    private static JobOptions options(int rank, int port, int size) {
        return JobOptions.of("leave", "127.0.0.1", port, rank, size).withCluster("A");
    }

    /** Rank 0, once rank 1 comes to the port. */
    private static CompletableFuture<Robber> root(CompletableFuture<Integer> port) {
        return CompletableFuture.supplyAsync(() -> Robber.join(options(0, 0), port::complete));
    }

    @Test
    void aCallOfManyBytesEndsWhenItsNodeLeaves() throws Exception {
        Late late = new Late();
        CompletableFuture<Integer> port = new CompletableFuture<>();
        CompletableFuture<Robber> joining = root(port);
        Robber leaving = Robber.join(options(1, port.get(30, TimeUnit.SECONDS)));
        try (Robber root = joining.get(30, TimeUnit.SECONDS)) {
            Operation<Void> unused = root.world().iBcast(late, 0);
            Operation<Void> call = leaving.world().iBcast(new byte[BYTES], 0);
            late.begun.await();
            CompletableFuture<Throwable> thrown = CompletableFuture.supplyAsync(() -> catchThrowable(call::await));
            leaving.close();
            assertThat(thrown.get(30, TimeUnit.SECONDS))
                    .isInstanceOf(RobberException.class)
                    .hasMessageContaining("has left the job itself");
        } finally {
            late.end.countDown();
        }
    }

    /** Nothing tells of the end of the job what the communicator has left behind. */
    @Test
    void aCallOfManyBytesEndsWhenItsCommunicatorIsClosedInAHurry() throws Exception {
        Late late = new Late();
        CompletableFuture<Integer> port = new CompletableFuture<>();
        CompletableFuture<Robber> joining = root(port);
        try (Robber leaving = Robber.join(options(1, port.get(30, TimeUnit.SECONDS)));
                Robber root = joining.get(30, TimeUnit.SECONDS)) {
            CompletableFuture<Communicator> ofRoot =
                    CompletableFuture.supplyAsync(() -> root.world().group(0, 1).orElseThrow());
            Communicator group = leaving.world().group(0, 1).orElseThrow();
            Operation<Void> unused = ofRoot.get().iBcast(late, 0);
            Operation<Void> call = group.iBcast(new byte[BYTES], 0);
            late.begun.await();
            Thread.currentThread().interrupt();
            assertThat(catchThrowable(group::close)).isInstanceOf(RobberException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(catchThrowable(() -> call.await(Duration.ofSeconds(10)))).isInstanceOf(RobberException.class);
        } finally {
            late.end.countDown();
        }
    }

    /** Its peers hear of a leave over another connection than of the loss, and only a loss lets them go on. */
    @Test
    void aNodeThatGivesUpAndLeavesAtOnceIsLost() throws Exception {
        CompletableFuture<Integer> port = new CompletableFuture<>();
        CompletableFuture<Robber> rankZero =
                CompletableFuture.supplyAsync(() -> Robber.join(options(0, 0, 3), port::complete));
        int atPort = port.get(30, TimeUnit.SECONDS);
        CompletableFuture<Robber> joining = CompletableFuture.supplyAsync(() -> Robber.join(options(1, atPort, 3)));
        Robber leaving = Robber.join(options(2, atPort, 3));
        try (Robber root = rankZero.get(30, TimeUnit.SECONDS);
                Robber other = joining.get(30, TimeUnit.SECONDS)) {
            List<CompletableFuture<Integer>> left = Stream.of(root, other)
                    .map(node -> CompletableFuture.supplyAsync(() -> {
                        Communicator world = node.world();
                        world.barrier();
                        assertThat(catchThrowable(world::barrier))
                                .isInstanceOfSatisfying(
                                        RobberException.class,
                                        lost -> assertThat(lost.reason()).isEqualTo(RobberException.Reason.NETWORK));
                        assertAChannelOpens(world);
                        return world.shrink().size();
                    }))
                    .toList();
            leaving.world().barrier();
            leaving.world()
                    .control()
                    .giveUp(new RobberException(RobberException.Reason.DEADLINE, List.of(2), "test", "no time left"));
            leaving.close();
            for (CompletableFuture<Integer> survivors : left) {
                assertThat(survivors.get(30, TimeUnit.SECONDS)).isEqualTo(2);
            }
        }
    }

    /** Nothing but rank 0 knows of its leave. */
    @Test
    void aNodeThatLeavesBeforeItsFirstCallIsNamed() throws Exception {
        CompletableFuture<Integer> port = new CompletableFuture<>();
        CompletableFuture<Robber> rankZero =
                CompletableFuture.supplyAsync(() -> Robber.join(options(0, 0, 3), port::complete));
        int atPort = port.get(30, TimeUnit.SECONDS);
        CompletableFuture<Robber> joining = CompletableFuture.supplyAsync(
                () -> Robber.join(options(1, atPort, 3).withCluster("B")));
        Robber.join(options(2, atPort, 3).withCluster("B")).close();
        try (Robber root = rankZero.get(30, TimeUnit.SECONDS);
                Robber mate = joining.get(30, TimeUnit.SECONDS)) {
            assertBarriersName("rank 2", root, mate);
        }
    }

    /** It waits for the others to leave for a while; calls begin meanwhile, or when it has gone. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rankZeroThatLeavesBeforeItsFirstCallIsNamed(boolean hasGone) throws Exception {
        CompletableFuture<Integer> port = new CompletableFuture<>();
        CompletableFuture<Robber> rankZero =
                CompletableFuture.supplyAsync(() -> Robber.join(options(0, 0, 3), port::complete));
        int atPort = port.get(30, TimeUnit.SECONDS);
        CompletableFuture<Robber> joining = CompletableFuture.supplyAsync(
                () -> Robber.join(options(1, atPort, 3).withCluster("B")));
        try (Robber other = Robber.join(options(2, atPort, 3));
                Robber mate = joining.get(30, TimeUnit.SECONDS)) {
            CompletableFuture<Void> leaving =
                    rankZero.thenAcceptAsync(Robber::close, work -> new Thread(work, "leaving").start());
            if (hasGone) {
                leaving.get(30, TimeUnit.SECONDS);
            } else {
                rankZero.get(30, TimeUnit.SECONDS);
                Thread.sleep(500);
            }
            assertBarriersName("rank 0", other, mate);
        }
    }

    private static void assertBarriersName(String left, Robber... nodes) throws Exception {
        List<CompletableFuture<Throwable>> calls = Stream.of(nodes)
                .map(node -> CompletableFuture.supplyAsync(() -> catchThrowable(node.world()::barrier)))
                .toList();
        for (CompletableFuture<Throwable> thrown : calls) {
            assertThat(thrown.get(30, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            RobberException.class,
                            why -> assertThat(why.reason()).isEqualTo(RobberException.Reason.USAGE))
                    .hasMessageContainingAll(left, "has left the job", "'barrier'");
        }
    }

    /** Nobody waits for a connection to a node that was lost before. */
    private static void assertAChannelOpens(Communicator world) {
        byte[] data = {(byte) (world.rank() == 0 ? 7 : 0)};
        try (MulticastChannel channel = world.multicastChannel(
                ChannelOptions.defaults().withOnLoss(ChannelOptions.OnLoss.COMPLETE_SURVIVORS))) {
            channel.multicast(data, 0);
            channel.flush();
        }
        assertThat(data).containsExactly(7);
    }

    /** No message of much data is through as a whole for long, but bytes of it are all the time. */
    @Test
    void aNodeThatLeavesWaitsWhileItsDataAreUnderWay() throws Exception {
        CompletableFuture<Integer> port = new CompletableFuture<>();
        CompletableFuture<Robber> rankZero = CompletableFuture.supplyAsync(
                () -> Robber.join(options(0, 0).withSilenceTimeout(Duration.ofSeconds(1)), port::complete));
        Robber leaving = Robber.join(options(1, port.get(30, TimeUnit.SECONDS))
                .withSilenceTimeout(Duration.ofSeconds(1))
                .withSendLimits(new SendLimits(200_000, 0)));
        try (Robber root = rankZero.get(30, TimeUnit.SECONDS)) {
            byte[] received = new byte[1_200_000];
            Operation<Void> scatter = root.world().iScatter(null, received, 1);
            byte[] all = new byte[2_400_000];
            Arrays.fill(all, (byte) 7);
            leaving.world().scatter(all, new byte[1_200_000], 1);
            leaving.close();
            scatter.await();
            assertThat(received).containsOnly(7);
        }
    }

    @Test
    void aChannelThatIsClosedInAHurryGivesItsMemoryBack() throws Exception {
        BufferLeaks.Watch leaks = BufferLeaks.watch();
        Late late = new Late();
        CompletableFuture<Integer> port = new CompletableFuture<>();
        CompletableFuture<Robber> joining = root(port);
        try (Robber leaving = Robber.join(options(1, port.get(30, TimeUnit.SECONDS)));
                Robber root = joining.get(30, TimeUnit.SECONDS)) {
            CompletableFuture<Throwable> receiving = CompletableFuture.supplyAsync(() -> catchThrowable(() ->
                    root.world().multicastChannel(ChannelOptions.defaults()).multicast(late, 1)));
            MulticastChannel channel = leaving.world().multicastChannel(ChannelOptions.defaults());
            channel.multicast(ByteBuffer.wrap(new byte[BYTES]), 1);
            late.begun.await();
            Thread.currentThread().interrupt();
            assertThat(catchThrowable(channel::close)).isInstanceOf(RobberException.class);
            assertThat(Thread.interrupted()).isTrue();
            late.end.countDown();
            // It may have had everything.
            Throwable unused = receiving.get(30, TimeUnit.SECONDS);
        } finally {
            late.end.countDown();
        }
        leaks.check();
    }
}

package org.robber.transport.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.robber.ChannelOptions;
import org.robber.ChannelOptions.OnLoss;
import org.robber.Communicator;
import org.robber.MulticastChannel;
import org.robber.RobberException;
import org.robber.Storage;
import org.robber.core.random.SeededRandom;
import org.robber.core.random.SeededRuns;
import org.robber.transport.link.GuardedStorage;

/**
 * Random multicasts of one channel, published and in pieces, while a node dies or its storage fails or hangs. The others have
 * all data and know who is missing, or the job ends and names that node. {@code -Drobber.scale=80} runs 960 jobs.
 */
class RandomMulticastFaultsTest {
    private static final int JOBS = 12;
    private static final int MOST_CLUSTERS = 4;
    private static final int MOST_NODES_PER_CLUSTER = 4;
    private static final int MOST_MULTICASTS = 4;
    private static final int[] SIZES = {0, 1, 700, 20_000, 200_000, 2_000_000};
    private static final int[] PIECE_BYTES = {0, 0, 1000, 16_384};

    /** Nodes know after 2 to 4 s that nobody has what they lack. */
    private static final Duration STALL_LIMIT = Duration.ofSeconds(5);

    private enum Fault {
        DIES,
        FAILS,
        HANGS
    }

    /**
     * @param flushesEach whether each multicast is flushed, or all together
     * @param operation of the victim's storages at which the fault comes, from 1; there may be fewer
     */
    private record Plan(
            List<Integer> clusterSizes,
            List<Integer> bytes,
            List<Integer> roots,
            int pieceBytes,
            boolean sharesMemory,
            boolean flushesEach,
            int victim,
            Fault fault,
            int operation) {

        static Plan draw(SeededRandom random) {
            List<Integer> sizes = new ArrayList<>();
            for (int i = random.nextInt(MOST_CLUSTERS); i >= 0; i--) {
                sizes.add(1 + random.nextInt(MOST_NODES_PER_CLUSTER));
            }
            sizes.add(2);
            int nodes = sizes.stream().mapToInt(Integer::intValue).sum();
            int firstRoot = random.nextInt(nodes);
            List<Integer> bytes = new ArrayList<>();
            List<Integer> roots = new ArrayList<>();
            for (int i = random.nextInt(MOST_MULTICASTS); i >= 0; i--) {
                bytes.add(SIZES[random.nextInt(SIZES.length)]);
                roots.add(random.nextInt(4) == 0 ? random.nextInt(nodes) : firstRoot);
            }
            return new Plan(
                    sizes,
                    bytes,
                    roots,
                    PIECE_BYTES[random.nextInt(PIECE_BYTES.length)],
                    random.nextInt(3) > 0,
                    random.nextInt(2) == 0,
                    random.nextInt(nodes),
                    List.of(Fault.values()).get(random.nextInt(3)),
                    1 + random.nextInt(random.nextInt(2) == 0 ? 3 : 40));
        }

        int nodes() {
            return clusterSizes.stream().mapToInt(Integer::intValue).sum();
        }

        /** Whether the others cannot do without the victim, whenever it is lost. */
        boolean mayEndTheJob() {
            return victim == 0 || roots.contains(victim);
        }

        byte[] data(int multicast) {
            byte[] data = new byte[bytes.get(multicast)];
            new Random(multicast).nextBytes(data);
            return data;
        }
    }

    @Test
    @Timeout(value = 4, unit = TimeUnit.HOURS)
    void theOthersHaveEverythingOrKnowWhoIsToBlame() {
        SeededRuns.run(JOBS, Plan::draw, plan -> new Run(plan).run());
    }

    /** One job. */
    private static final class Run {
        private final Plan plan;
        private final AtomicInteger operationsLeft;
        private final CountDownLatch end = new CountDownLatch(1);

        Run(Plan plan) {
            this.plan = plan;
            this.operationsLeft = new AtomicInteger(plan.operation);
        }

        void run() throws Exception {
            int[] sizes = plan.clusterSizes.stream().mapToInt(Integer::intValue).toArray();
            try (MortalJob job = new MortalJob(options -> options.withStallTimeout(STALL_LIMIT), sizes)) {
                job.start(world -> live(world, job));
                for (int rank = 0; rank < plan.nodes(); rank++) {
                    if (rank != plan.victim) {
                        check(rank, job.end(rank));
                    }
                }
                end.countDown();
                if (!hasFault()) {
                    assertThat(job.end(plan.victim))
                            .as("the victim, without its fault")
                            .isNull();
                } else if (plan.fault != Fault.DIES) {
                    Throwable end = job.end(plan.victim);
                    assertThat(end).as("the victim").isInstanceOf(RobberException.class);
                    assertThat(((RobberException) end).ranks()).containsExactly(plan.victim);
                }
            } finally {
                end.countDown();
            }
        }

        private boolean hasFault() {
            return operationsLeft.get() <= 0;
        }

        private void check(int rank, @Nullable Throwable problem) {
            if (problem == null) {
                return;
            }
            assertThat(hasFault() && plan.mayEndTheJob())
                    .as("rank %s may fail: %s", rank, problem)
                    .isTrue();
            assertThat(problem).as("rank %s", rank).isInstanceOf(RobberException.class);
            assertThat(((RobberException) problem).ranks())
                    .as("rank %s: %s", rank, problem)
                    .containsExactly(plan.victim);
        }

        private void live(Communicator world, MortalJob job) throws Exception {
            world.barrier();
            int rank = world.rank();
            List<byte[]> here = new ArrayList<>();
            // Memory is shared in halves of 512 KiB then.
            ChannelOptions options = ChannelOptions.defaults()
                    .withPieceBytes(plan.pieceBytes)
                    .withMemoryBytes(4 << 20)
                    .withSharedMemory(plan.sharesMemory)
                    .withOnLoss(OnLoss.COMPLETE_SURVIVORS);
            try (MulticastChannel channel = world.multicastChannel(options)) {
                job.opened(rank, channel);
                for (int i = 0; i < plan.bytes.size(); i++) {
                    byte[] bytes = rank == plan.roots.get(i) ? plan.data(i) : new byte[plan.bytes.get(i)];
                    here.add(bytes);
                    Storage memory = Storage.of(ByteBuffer.wrap(bytes));
                    channel.multicast(
                            rank == plan.victim ? new GuardedStorage(memory, () -> maybeFail(job)) : memory,
                            plan.roots.get(i));
                    if (plan.flushesEach) {
                        flush(channel, here);
                    }
                }
                flush(channel, here);
            }
        }

        private void flush(MulticastChannel channel, List<byte[]> here) {
            channel.flush();
            for (int i = 0; i < here.size(); i++) {
                assertThat(Arrays.equals(here.get(i), plan.data(i)))
                        .as("multicast %s", i)
                        .isTrue();
            }
            assertThat(channel.missing().keySet()).isSubsetOf(plan.victim);
        }

        /** Before each operation of the victim's storages. */
        private void maybeFail(MortalJob job) throws IOException {
            if (operationsLeft.decrementAndGet() == 0) {
                switch (plan.fault) {
                    case DIES -> job.killSelf(plan.victim);
                    case FAILS -> throw new IOException("no space left on device");
                    case HANGS -> GuardedStorage.stuckUntil(end).run();
                }
            }
        }
    }
}

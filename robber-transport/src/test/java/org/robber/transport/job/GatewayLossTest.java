package org.robber.transport.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.robber.ChannelOptions;
import org.robber.ChannelOptions.OnLoss;
import org.robber.MulticastChannel;
import org.robber.Storage;
import org.robber.core.topology.Gateways;
import org.robber.core.topology.Topology;
import org.robber.transport.link.GuardedStorage;

/** Few pieces and several members: some members of a cluster, its gateways, bring the pieces in. Others take their work over, over real sockets. */
class GatewayLossTest {
    private static final int BYTES = 1 << 20;
    private static final int PIECE_BYTES = 1 << 13;
    private static final int[] CLUSTER_SIZES = {2, 5, 7};
    private static final int GATEWAY = 4;
    private static final int PLAIN_MEMBER = 3;

    private final byte[] data = new byte[BYTES];

    GatewayLossTest() {
        new Random(20).nextBytes(data);
    }

    @Test
    void someMembersAreGateways() {
        Topology topology = Topology.ofSizes(CLUSTER_SIZES);
        assertThat(IntStream.range(0, topology.size())
                        .filter(rank -> Gateways.isGateway(rank, topology, BYTES / PIECE_BYTES)))
                .contains(GATEWAY)
                .doesNotContain(PLAIN_MEMBER);
    }

    /** The victim dies when it has so many eighths of the data. */
    @ParameterizedTest
    @CsvSource({GATEWAY + ", 0", GATEWAY + ", 2", GATEWAY + ", 6", PLAIN_MEMBER + ", 2"})
    void theOthersFinishWithoutAKilledMember(int victim, int eighths) throws Exception {
        try (MortalJob job = new MortalJob(CLUSTER_SIZES)) {
            long share = Math.max(1, (long) BYTES / 8 * eighths);
            theOthersFinishWithout(job, victim, here -> new WatchedStorage(here, share, () -> job.killSelf(victim)));
        }
    }

    /** The storage stands still when it has so many eighths of the data. The node's mates wait for what it was to bring, and are not to blame. */
    @ParameterizedTest
    @CsvSource({GATEWAY + ", 0", GATEWAY + ", 2", PLAIN_MEMBER + ", 2"})
    void theOthersFinishWithoutAMemberWhoseStorageHangs(int victim, int eighths) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (MortalJob job = new MortalJob(options -> options.withStallTimeout(Duration.ofSeconds(2)), CLUSTER_SIZES)) {
            long share = Math.max(1, (long) BYTES / 8 * eighths);
            theOthersFinishWithout(
                    job, victim, here -> new WatchedStorage(here, share, GuardedStorage.stuckUntil(end)));
        } finally {
            end.countDown();
        }
    }

    private interface Victim {
        Storage storage(byte[] here);
    }

    private void theOthersFinishWithout(MortalJob job, int victim, Victim storage) throws Exception {
        job.start(world -> {
            try (MulticastChannel channel = world.multicastChannel(
                    ChannelOptions.defaults().withPieceBytes(PIECE_BYTES).withOnLoss(OnLoss.COMPLETE_SURVIVORS))) {
                job.opened(world.rank(), channel);
                byte[] here = world.rank() == 0 ? data.clone() : new byte[BYTES];
                channel.multicast(world.rank() == victim ? storage.storage(here) : memory(here));
                channel.flush();
                assertThat(here).isEqualTo(data);
                assertThat(channel.missing()).containsOnlyKeys(victim);
            }
        });
        for (int rank = 0; rank < IntStream.of(CLUSTER_SIZES).sum(); rank++) {
            if (rank != victim) {
                assertThat(job.end(rank)).as("rank %s", rank).isNull();
            }
        }
    }

    private static Storage memory(byte[] here) {
        return Storage.of(ByteBuffer.wrap(here));
    }
}

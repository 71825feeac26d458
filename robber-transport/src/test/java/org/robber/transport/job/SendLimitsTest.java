package org.robber.transport.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.robber.ChannelOptions;
import org.robber.MulticastChannel;
import org.robber.SendLimits;

/** Nodes send no faster than they are allowed to. */
class SendLimitsTest {
    private static final int BYTES = 1_000_000;
    private static final int RATE = 2_000_000;

    /** A block leaves at once, and 20 ms of lost time are made up for. */
    private static final Duration LEAST = Duration.ofMillis(500 - 50 - 20);

    private final byte[] data = new byte[BYTES];

    SendLimitsTest() {
        new Random(4).nextBytes(data);
    }

    private Duration multicast(SendLimits limits, int... clusters) throws Exception {
        AtomicLong nanos = new AtomicLong();
        try (Cluster cluster = new Cluster(9, clusters)) {
            cluster.limitSending(limits);
            cluster.run(world -> {
                try (MulticastChannel channel =
                        world.multicastChannel(ChannelOptions.defaults().withPieceBytes(50_000))) {
                    byte[] here = world.rank() == 0 ? data.clone() : new byte[BYTES];
                    long beginNanos = System.nanoTime();
                    channel.multicast(here);
                    channel.flush();
                    if (world.rank() == 0) {
                        nanos.set(System.nanoTime() - beginNanos);
                    }
                    assertThat(here).isEqualTo(data);
                }
            });
        }
        return Duration.ofNanos(nanos.get());
    }

    @Test
    void aTransferTakesAsLongAsTheLimitSays() throws Exception {
        assertThat(multicast(new SendLimits(RATE, 0), 2)).isGreaterThan(LEAST);
    }

    /** Near nodes send what others want of a call directly. */
    @Test
    void aCallWithoutPiecesTakesAsLongAsTheLimitSays() throws Exception {
        AtomicLong nanos = new AtomicLong();
        try (Cluster cluster = new Cluster(9, 2)) {
            cluster.limitSending(new SendLimits(RATE, 0));
            cluster.run(world -> {
                byte[] part = new byte[BYTES];
                long beginNanos = System.nanoTime();
                world.gather(world.rank() == 1 ? data : part, world.rank() == 0 ? new byte[2 * BYTES] : null, 0);
                if (world.rank() == 0) {
                    nanos.set(System.nanoTime() - beginNanos);
                }
            });
        }
        assertThat(Duration.ofNanos(nanos.get())).isGreaterThan(LEAST);
    }

    @Test
    void betweenClustersTheOtherLimitHolds() throws Exception {
        assertThat(multicast(new SendLimits(0, RATE), 1, 1)).isGreaterThan(LEAST);
    }

    /** At this rate, a single block to another cluster would take longer than the test may. */
    @Test
    void insideAClusterItDoesNot() throws Exception {
        assertThat(multicast(new SendLimits(0, 1), 3)).isPositive();
    }
}

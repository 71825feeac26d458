package org.robber.transport.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.ChannelOptions;
import org.robber.MulticastChannel;

/** A peer that stops in the middle of what it was asked for: others are asked, long before its connection is given up. */
class StalledPeerTest {
    private static final int BYTES = 2_000_000;
    private static final int RECEIVERS = 3;
    private static final int STALLED = 1;
    private static final long LIMIT_SECONDS = 100;

    private final byte[] data = new byte[BYTES];
    private final AtomicReference<HoldingProxy> line = new AtomicReference<>();

    StalledPeerTest() {
        new Random(12).nextBytes(data);
    }

    /** Everyone but the root reaches the peer over a line that falls silent. */
    private InetSocketAddress lineTo(int rank, InetSocketAddress address) {
        if (rank != STALLED) {
            return address;
        }
        try {
            line.set(new HoldingProxy(address, true, 100_000));
            return line.get().address();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What was asked and taken back while it could not hear us, the peer has never been asked for. */
    @Test
    void thePeerIsAskedAgainOnceItIsKnownToBeAlive() throws Exception {
        try (Cluster cluster = new Cluster(5, this::deafLineTo, 2)) {
            cluster.limitPeerStalls(Duration.ofMillis(100));
            cluster.limitSilence(Duration.ofSeconds(8));
            cluster.run(world -> {
                try (MulticastChannel channel =
                        world.multicastChannel(ChannelOptions.defaults().withPieceBytes(50_000))) {
                    if (world.rank() == 1) {
                        CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS)
                                .execute(line.get()::release);
                    }
                    byte[] here = world.rank() == 0 ? data.clone() : new byte[BYTES];
                    channel.multicast(here);
                    channel.flush();
                    assertThat(here).isEqualTo(data);
                }
            });
        } finally {
            line.get().close();
        }
    }

    /** The root hears no more than a few words of the one that asks. */
    private InetSocketAddress deafLineTo(int rank, InetSocketAddress address) {
        if (rank != 0) {
            return address;
        }
        try {
            line.set(new HoldingProxy(address, false, 400));
            return line.get().address();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"robber", "mob", "bittorrent", "bittorrent:rarest,endgame"})
    void othersAreAskedForWhatAStalledPeerOwes(String strategy) throws Exception {
        CountDownLatch received = new CountDownLatch(RECEIVERS);
        try (Cluster cluster = new Cluster(5, this::lineTo, RECEIVERS + 1)) {
            cluster.limitPeerStalls(Duration.ofMillis(200));
            cluster.run(world -> {
                try (MulticastChannel channel = world.multicastChannel(
                        ChannelOptions.defaults().withStrategy(strategy).withPieceBytes(50_000))) {
                    byte[] here = world.rank() == 0 ? data.clone() : new byte[BYTES];
                    channel.multicast(here);
                    if (world.rank() != 0) {
                        received.countDown();
                    }
                    assertThat(received.await(LIMIT_SECONDS, TimeUnit.SECONDS))
                            .as("everyone has everything while the line is silent")
                            .isTrue();
                    line.get().release();
                    channel.flush();
                    assertThat(here).isEqualTo(data);
                }
            });
        } finally {
            line.get().close();
        }
    }
}

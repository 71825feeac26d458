package org.robber.transport.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.robber.ChannelOptions;
import org.robber.MulticastChannel;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

class FlippedBitsTest {
    private static final int BYTES = 2_000_000;

    private final List<FlippingProxy> proxies = new ArrayList<>();
    private final byte[] data = new byte[BYTES];

    FlippedBitsTest() {
        new Random(11).nextBytes(data);
        // In the middle of a piece, far from the heads of its blocks.
        Arrays.fill(data, 1_010_000, 1_014_000, FlippingProxy.MARK);
    }

    @AfterEach
    void close() throws IOException {
        for (FlippingProxy proxy : proxies) {
            proxy.close();
        }
    }

    /** Everyone who connects to rank 0, the root, gets there over a bad line. */
    private InetSocketAddress badLineTo(int rank, InetSocketAddress address, int flips) {
        if (rank != 0) {
            return address;
        }
        try {
            proxies.add(new FlippingProxy(address, flips));
            return proxies.get(0).address();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aFlippedBitIsDetectedAndThePieceFetchedAgain() throws Exception {
        AtomicInteger corrupt = new AtomicInteger();
        try (Cluster cluster = new Cluster(5, (rank, address) -> badLineTo(rank, address, 2), 2, 2)) {
            cluster.run(world -> {
                try (MulticastChannel channel =
                        world.multicastChannel(ChannelOptions.defaults().withPieceBytes(50_000))) {
                    byte[] here = world.rank() == 0 ? data.clone() : new byte[BYTES];
                    channel.multicast(here);
                    assertThat(here).isEqualTo(data);
                    channel.flush();
                    corrupt.addAndGet(channel.lastStats().corruptPieces());
                }
            });
        }
        // The piece leaves the root once at least; whether it does a second time is up to whom the others ask.
        int flips = 2 - proxies.get(0).flipsLeft();
        assertThat(flips).isPositive();
        assertThat(corrupt.get()).isEqualTo(flips);
    }

    @Test
    void aLineThatFlipsForEverEndsTheJobAndNamesTheNodeBehindIt() throws Exception {
        try (Cluster cluster = new Cluster(5, (rank, address) -> badLineTo(rank, address, Integer.MAX_VALUE), 2, 2)) {
            // In vain if nobody can tell the root before its connections end.
            cluster.limitStalls(Duration.ofSeconds(5));
            assertThatThrownBy(() -> cluster.run(world -> {
                        try (MulticastChannel channel =
                                world.multicastChannel(ChannelOptions.defaults().withPieceBytes(50_000))) {
                            channel.multicast(world.rank() == 0 ? data.clone() : new byte[BYTES]);
                            channel.flush();
                        }
                    }))
                    .isInstanceOfSatisfying(RobberException.class, failure -> {
                        assertThat(failure.reason()).isEqualTo(Reason.INTEGRITY);
                        assertThat(failure.ranks()).containsExactly(0);
                        assertThat(failure).hasMessageContaining("node A-0 (rank 0");
                    });
        }
    }
}

package org.robber.transport.link.pace;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;
import org.robber.transport.sockets.TcpInfo;

/** A connection with a round trip of 100 ms whose buffers allow 1 MB on the way, seen once a second. */
class WindowWatchTest {
    private static final long ROUND_TRIP_MICROS = 100_000;

    private final WindowWatch watch = new WindowWatch(new EmbeddedChannel(), 1_000_000, number -> {});
    private long acknowledged;
    private long received;
    private long seconds;

    private boolean second(long sentBytes, long receivedBytes) {
        acknowledged += sentBytes;
        received += receivedBytes;
        return watch.saw(
                new TcpInfo(1448, 3 * ROUND_TRIP_MICROS, ROUND_TRIP_MICROS, 0, acknowledged, received),
                seconds++ * 1_000_000_000);
    }

    @Test
    void whoeverSendsAWindowEachRoundTripIsHeldBack() {
        assertThat(second(0, 0)).isFalse();
        assertThat(second(9_000_000, 0)).isTrue();
    }

    @Test
    void soAreReceivers() {
        second(0, 0);
        assertThat(second(0, 7_000_000)).isTrue();
    }

    @Test
    void theFirstLookShowsNothing() {
        assertThat(second(9_000_000, 9_000_000)).isFalse();
    }

    @Test
    void aSlowLineNeedsNoMore() {
        for (int i = 0; i < 20; i++) {
            assertThat(second(5_000_000, 5_000_000)).isFalse();
        }
    }
}

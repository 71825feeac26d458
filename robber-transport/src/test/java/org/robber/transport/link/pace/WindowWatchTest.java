package org.robber.transport.link.pace;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.transport.sockets.TcpInfo;

/** A connection with a round trip of 100 ms whose buffers allow 1 MB on the way, seen once a second. */
class WindowWatchTest {
    private static final long ROUND_TRIP_MICROS = 100_000;

    private final List<Integer> asked = new ArrayList<>();
    private final WindowWatch watch = new WindowWatch(new EmbeddedChannel(), 1_000_000, asked::add);
    private long acknowledged;
    private long received;
    private long seconds;

    private long second(long sentBytes, long receivedBytes) {
        acknowledged += sentBytes;
        received += receivedBytes;
        return watch.saw(
                new TcpInfo(1448, 3 * ROUND_TRIP_MICROS, ROUND_TRIP_MICROS, 0, acknowledged, received),
                seconds++ * 1_000_000_000);
    }

    @Test
    void whoeverSendsAWindowEachRoundTripWantsMoreConnections() {
        second(0, 0);
        assertThat(second(9_000_000, 0)).as("no further look").isZero();
        assertThat(asked).containsExactly(1, 2, 3, 4, 5, 6, 7);
    }

    @Test
    void receiversWantThemToo() {
        second(0, 0);
        assertThat(second(0, 7_000_000)).isZero();
        assertThat(asked).hasSize(WindowWatch.MOST);
    }

    @Test
    void aSlowLineNeedsNone() {
        for (int i = 0; i < 20; i++) {
            second(5_000_000, 5_000_000);
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void anIdleConnectionIsLookedAtSeldom() {
        second(0, 0);
        assertThat(second(900_000, 0)).isEqualTo(1_000_000_000);
        assertThat(second(1_100_000, 0)).as("four round trips").isEqualTo(400_000_000);
    }
}

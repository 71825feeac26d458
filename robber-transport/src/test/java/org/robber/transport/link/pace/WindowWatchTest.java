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

    private void second(long sentBytes, long receivedBytes) {
        acknowledged += sentBytes;
        received += receivedBytes;
        watch.saw(seen(ROUND_TRIP_MICROS), seconds++ * 1_000_000_000);
    }

    private TcpInfo seen(long roundTripMicros) {
        return new TcpInfo(1448, 3 * roundTripMicros, roundTripMicros, 0, acknowledged, received);
    }

    @Test
    void whoeverSendsAWindowEachRoundTripWantsMoreConnectionsOnce() {
        second(0, 0);
        second(9_000_000, 0);
        assertThat(asked).containsExactly(1, 2, 3, 4, 5, 6, 7);
        watch.moved(9_000_000);
        assertThat(asked).hasSize(WindowWatch.MOST);
    }

    @Test
    void receiversWantThemToo() {
        second(0, 0);
        second(0, 7_000_000);
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
    void aConnectionOfWhichTheSystemTellsNothingAsksForNone() {
        for (int i = 0; i < 20; i++) {
            watch.moved(i * 1_000_000L);
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void aLongLineHasEightConnectionsFromTheStart() {
        watch.share(1, seen(ROUND_TRIP_MICROS));
        assertThat(asked).containsExactly(1, 2, 3, 4, 5, 6, 7);
    }

    @Test
    void connectionsThatShareALongLineHaveFewerAtTheStart() {
        watch.share(3, seen(ROUND_TRIP_MICROS));
        assertThat(asked).containsExactly(1);
        second(0, 0);
        second(9_000_000, 0);
        assertThat(asked).containsExactly(1, 2, 3, 4, 5, 6, 7);
    }

    @Test
    void manyThatShareALongLineHaveNoMoreAtTheStart() {
        watch.share(5, seen(ROUND_TRIP_MICROS));
        watch.share(100, seen(ROUND_TRIP_MICROS));
        assertThat(asked).isEmpty();
    }

    @Test
    void buffersThatHoldAGigabitOfAShortLineNeedNoCompany() {
        watch.share(1, seen(1_000_000 / 125));
        assertThat(asked).isEmpty();
        watch.share(1, seen(1_000_000 / 125 + 1));
        assertThat(asked).hasSize(WindowWatch.MOST);
    }
}

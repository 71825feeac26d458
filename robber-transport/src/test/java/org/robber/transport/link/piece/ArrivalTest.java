package org.robber.transport.link.piece;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ArrivalTest {
    /** Whoever waits for the memory takes locks of its own. */
    @Test
    void memoryIsGivenBackWithoutALock() {
        PieceBuffers buffers = new PieceBuffers(100, 100, PieceBuffers.OF_PROCESS);
        List<Arrival> arrivals = new ArrayList<>();
        for (int piece = 0; piece < 2; piece++) {
            Arrival arrival = new Arrival(piece, 1);
            arrival.lend(Objects.requireNonNull(buffers.take(later -> {})));
            arrivals.add(arrival);
        }
        List<Boolean> locked = new ArrayList<>();
        assertThat(buffers.take(lease -> {
                    locked.add(Thread.holdsLock(arrivals.get(0)));
                    lease.release();
                }))
                .isNull();
        arrivals.get(0).release();
        arrivals.get(1).release();

        assertThat(locked).containsExactly(false);
        buffers.close();
    }
}

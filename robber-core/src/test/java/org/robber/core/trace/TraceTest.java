package org.robber.core.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.core.protocol.MessageType;

class TraceTest {
    private static final TraceEvent READY = new TraceEvent(5, 2, TraceKind.PEER_READY, 0, null, TraceEvent.NONE);
    private static final TraceEvent BITFIELD = new TraceEvent(1500, 2, TraceKind.RECEIVED, 0, MessageType.BITFIELD, 17);

    @Test
    void anEventIsALine() {
        assertThat(READY.toLine()).isEqualTo("5 2 peer-ready 0");
        assertThat(BITFIELD.toLine()).isEqualTo("1500 2 received 0 bitfield 17");
        assertThat(new TraceEvent(7, 1, TraceKind.COMPLETED, TraceEvent.NONE, null, TraceEvent.NONE).toLine())
                .isEqualTo("7 1 completed");
    }

    @Test
    void theHashOfATraceNeverChanges() {
        TraceHash hash = new TraceHash();
        hash.accept(READY);
        hash.accept(BITFIELD);
        assertThat(hash.value()).isEqualTo(7469475743499240187L);
    }

    @Test
    void everyPartOfAnEventCounts() {
        List<Long> hashes = new ArrayList<>();
        hashes.add(hashOf(BITFIELD));
        hashes.add(hashOf(new TraceEvent(1501, 2, TraceKind.RECEIVED, 0, MessageType.BITFIELD, 17)));
        hashes.add(hashOf(new TraceEvent(1500, 3, TraceKind.RECEIVED, 0, MessageType.BITFIELD, 17)));
        hashes.add(hashOf(new TraceEvent(1500, 2, TraceKind.SENT, 0, MessageType.BITFIELD, 17)));
        hashes.add(hashOf(new TraceEvent(1500, 2, TraceKind.RECEIVED, 1, MessageType.BITFIELD, 17)));
        hashes.add(hashOf(new TraceEvent(1500, 2, TraceKind.RECEIVED, 0, MessageType.DESIRE, 17)));
        hashes.add(hashOf(new TraceEvent(1500, 2, TraceKind.RECEIVED, 0, MessageType.BITFIELD, 18)));
        assertThat(hashes).doesNotHaveDuplicates();
    }

    @Test
    void theOrderOfEventsCounts() {
        assertThat(hashOf(READY, BITFIELD)).isNotEqualTo(hashOf(BITFIELD, READY));
    }

    @Test
    void aSinkMayHandOn() {
        List<TraceEvent> seen = new ArrayList<>();
        TraceHash hash = new TraceHash();
        hash.and(seen::add).accept(READY);
        assertThat(seen).containsExactly(READY);
        assertThat(hash.value()).isEqualTo(hashOf(READY));
    }

    private static long hashOf(TraceEvent... events) {
        TraceHash hash = new TraceHash();
        for (TraceEvent event : events) {
            hash.accept(event);
        }
        return hash.value();
    }
}

package org.robber.emulation.testbed.wan;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.EnumMap;

/** Counts packets: by link and result, and by reason if they reached no link. */
final class Counters {

    final long[] deliveredBytes;
    final long[] deliveredPackets;
    final long[] droppedPackets;
    final long[] lostPackets;
    /** By reason, an array of one number each: counting must not allocate. */
    private final EnumMap<Refusal, long[]> refused = new EnumMap<>(Refusal.class);

    Counters(int links) {
        deliveredBytes = new long[links];
        deliveredPackets = new long[links];
        droppedPackets = new long[links];
        lostPackets = new long[links];
        for (Refusal reason : Refusal.values()) {
            refused.put(reason, new long[1]);
        }
    }

    void refuse(Refusal reason) {
        number(reason)[0]++;
    }

    long refused(Refusal reason) {
        return number(reason)[0];
    }

    private long[] number(Refusal reason) {
        return checkNotNull(refused.get(reason));
    }
}

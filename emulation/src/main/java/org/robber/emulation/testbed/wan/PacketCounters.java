package org.robber.emulation.testbed.wan;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.EnumMap;

/** Counts packets: by link and result, and by reason if they reached no link. */
final class PacketCounters {

    final long[] deliveredBytes;
    final long[] deliveredPackets;
    final long[] droppedPackets;
    final long[] lostPackets;
    /** By reason, an array of one number each: counting must not allocate. */
    private final EnumMap<DropReason, long[]> refused = new EnumMap<>(DropReason.class);

    PacketCounters(int links) {
        deliveredBytes = new long[links];
        deliveredPackets = new long[links];
        droppedPackets = new long[links];
        lostPackets = new long[links];
        for (DropReason reason : DropReason.values()) {
            refused.put(reason, new long[1]);
        }
    }

    void refuse(DropReason reason) {
        number(reason)[0]++;
    }

    long refused(DropReason reason) {
        return number(reason)[0];
    }

    private long[] number(DropReason reason) {
        return checkNotNull(refused.get(reason));
    }
}

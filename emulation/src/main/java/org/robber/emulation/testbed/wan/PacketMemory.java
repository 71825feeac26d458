package org.robber.emulation.testbed.wan;

import com.sun.jna.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory for the packets in {@link PacketSlots}. Native memory that nobody clears: pages that no packet ever needs are never
 * touched, so the number of places may be generous.
 */
final class PacketMemory {

    private final int slotBytes;
    private final Memory memory;
    private final ByteBuffer bytes;
    private final long address;

    PacketMemory(int slots, int slotBytes) {
        this.slotBytes = slotBytes;
        memory = new Memory(Math.multiplyExact(slots, slotBytes));
        bytes = memory.getByteBuffer(0, memory.size()).order(ByteOrder.BIG_ENDIAN);
        address = Libc.address(bytes);
    }

    int slotBytes() {
        return slotBytes;
    }

    /** All of it, in network byte order. */
    ByteBuffer bytes() {
        return bytes;
    }

    int offset(int slot) {
        return slot * slotBytes;
    }

    long address(int slot) {
        return address + (long) slot * slotBytes;
    }
}

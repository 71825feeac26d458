package org.robber.emulation.testbed.wan;

import static com.google.common.base.Preconditions.checkArgument;

import com.sun.jna.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory for the packets in {@link PacketSlots}. Native memory that is not cleared: unused pages are never touched, so the number
 * of places may be generous, and each may be large.
 */
final class PacketMemory {

    /** A buffer can't be larger than 2 GiB. */
    private static final int CHUNK_BYTES = 1 << 30;

    private final int slotBytes;
    private final int chunkSlots;
    private final ByteBuffer[] chunks;
    private final long[] addresses;
    /** Keeps the memory of the buffers. */
    private final Memory[] memories;

    PacketMemory(int slots, int slotBytes) {
        checkArgument(slots > 0 && slotBytes > 0 && slotBytes <= CHUNK_BYTES, "%s places of %s", slots, slotBytes);
        this.slotBytes = slotBytes;
        chunkSlots = Math.min(slots, CHUNK_BYTES / slotBytes);
        int count = (slots + chunkSlots - 1) / chunkSlots;
        chunks = new ByteBuffer[count];
        addresses = new long[count];
        memories = new Memory[count];
        for (int i = 0; i < count; i++) {
            memories[i] = new Memory((long) chunkSlots * slotBytes);
            chunks[i] = memories[i].getByteBuffer(0, memories[i].size()).order(ByteOrder.BIG_ENDIAN);
            addresses[i] = Libc.address(chunks[i]);
        }
    }

    int slotBytes() {
        return slotBytes;
    }

    /** The memory in which a place is, in network byte order. */
    ByteBuffer bytes(int slot) {
        return chunks[slot / chunkSlots];
    }

    /** Where in {@link #bytes} a place begins. */
    int offset(int slot) {
        return slot % chunkSlots * slotBytes;
    }

    long address(int slot) {
        return addresses[slot / chunkSlots] + offset(slot);
    }
}

package org.robber.emulation.testbed.wan;

import java.nio.ByteBuffer;

/** The little that the network looks at in a packet (RFC 791). */
final class Ipv4 {

    static final int HEADER_BYTES = 20;

    private static final int TOTAL_LENGTH_OFFSET = 2;
    private static final int PROTOCOL_OFFSET = 9;
    private static final int DESTINATION_OFFSET = 16;
    private static final int TCP = 6;
    /** Within the header of TCP. */
    private static final int TCP_LENGTH_OFFSET = 12;

    private static final int TCP_HEADER_BYTES = 20;
    private static final int WORD_BYTES = 4;

    private Ipv4() {}

    /** Whether a packet claims to be of version 4. It must have a first byte. */
    static boolean isVersion4(ByteBuffer memory, int offset) {
        return (memory.get(offset) & 0xf0) == 0x40;
    }

    /**
     * Whether a packet of version 4 is complete and has a header. Receivers check its checksum.
     *
     * @param memory in big-endian order
     * @param length bytes of the packet from the offset on
     */
    static boolean isWhole(ByteBuffer memory, int offset, int length) {
        if (length < HEADER_BYTES) {
            return false;
        }
        int headerBytes = (memory.get(offset) & 0x0f) * WORD_BYTES;
        int totalBytes = memory.getShort(offset + TOTAL_LENGTH_OFFSET) & 0xffff;
        return headerBytes >= HEADER_BYTES && headerBytes <= totalBytes && totalBytes == length;
    }

    /** Length of the headers of IP and TCP of a whole packet; more than any MTU if it is no TCP, or not with all its headers. */
    static int tcpHeaderBytes(ByteBuffer memory, int offset, int length) {
        int ipBytes = (memory.get(offset) & 0x0f) * WORD_BYTES;
        if (memory.get(offset + PROTOCOL_OFFSET) != TCP || ipBytes + TCP_HEADER_BYTES > length) {
            return Integer.MAX_VALUE / 2;
        }
        int tcpBytes = ((memory.get(offset + ipBytes + TCP_LENGTH_OFFSET) & 0xf0) >> 4) * WORD_BYTES;
        boolean whole = tcpBytes >= TCP_HEADER_BYTES && ipBytes + tcpBytes <= length;
        return whole ? ipBytes + tcpBytes : Integer.MAX_VALUE / 2;
    }

    /** Where a whole packet goes. */
    static int destination(ByteBuffer memory, int offset) {
        return memory.getInt(offset + DESTINATION_OFFSET);
    }

    /** Whether an address stands for a group: 224.0.0.0/4. */
    static boolean isMulticast(int address) {
        return address >>> 28 == 0xe;
    }
}

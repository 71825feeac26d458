package org.robber.emulation.testbed.wan;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The header before each packet of a {@link TunDevice} ({@code virtio_net_hdr}): work that the kernel has left to the device. The
 * receiver gets it in turn, so no checksum is computed, and no data that TCP sends at once is cut and joined: a
 * <em>super-packet</em> of up to 64 KiB, which stands for the packets into which a real card would cut it.
 *
 * <p>All methods take the memory in network byte order, and where the header begins; the packet follows it.
 */
final class Offload {

    /** Length of the header. */
    static final int BYTES = 10;

    /** The largest packet that follows it. */
    static final int MAX_PACKET_BYTES = 65535;

    private static final int KIND_OFFSET = 1;
    private static final int HEADERS_OFFSET = 2;
    private static final int PAYLOAD_OFFSET = 4;
    /** Beside the kind: whether congestion may be signalled by ECN. */
    private static final int ECN = 0x80;

    private static final int PLAIN = 0;
    private static final int TCP4 = 1;

    private Offload() {}

    /** Whether this is a super-packet. */
    static boolean isSuper(ByteBuffer memory, int offset) {
        return kind(memory, offset) != PLAIN;
    }

    /**
     * Length of the headers of each packet that a super-packet stands for; 0 if it is not one of TCP over IPv4, or cut into packets
     * larger than the MTU.
     *
     * @param packetBytes length of the super-packet, which must be whole
     */
    static int headerBytes(ByteBuffer memory, int offset, int packetBytes, int mtu) {
        int headerBytes = Ipv4.tcpHeaderBytes(memory, offset + BYTES, packetBytes);
        int payloadBytes = payloadBytes(memory, offset);
        boolean known = kind(memory, offset) == TCP4 && payloadBytes > 0 && payloadBytes + headerBytes <= mtu;
        return known && packetBytes > headerBytes ? headerBytes : 0;
    }

    /** How many packets a super-packet stands for. */
    static int packets(ByteBuffer memory, int offset, int packetBytes, int headerBytes) {
        int payloadBytes = payloadBytes(memory, offset);
        return (packetBytes - headerBytes + payloadBytes - 1) / payloadBytes;
    }

    /** Sets where the headers end. The kernel's own value depends on its buffers and may be the whole packet. */
    static void setHeaderBytes(ByteBuffer memory, int offset, int headerBytes) {
        memory.putShort(offset + HEADERS_OFFSET, inHostOrder((short) headerBytes));
    }

    private static int kind(ByteBuffer memory, int offset) {
        return memory.get(offset + KIND_OFFSET) & ~ECN & 0xff;
    }

    private static int payloadBytes(ByteBuffer memory, int offset) {
        return inHostOrder(memory.getShort(offset + PAYLOAD_OFFSET)) & 0xffff;
    }

    private static short inHostOrder(short value) {
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? value : Short.reverseBytes(value);
    }
}

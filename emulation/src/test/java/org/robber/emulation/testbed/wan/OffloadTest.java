package org.robber.emulation.testbed.wan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class OffloadTest {

    private static final int MTU = 9000;
    private static final int AT = 3;
    private static final int TCP4 = 1;
    private static final int TCP6 = 4;

    @Test
    void plainPacketsAreNotSuper() {
        assertThat(Offload.isSuper(packet(0, 0, 500, 6, 8), AT)).isFalse();
    }

    @Test
    void superPacketsStandForAsManyAsTheirDataFill() {
        // headers of 20 and 32 bytes
        ByteBuffer memory = packet(TCP4, 8948, 52 + 3 * 8948, 6, 8);
        assertThat(Offload.isSuper(memory, AT)).isTrue();
        assertThat(Offload.headerBytes(memory, AT, 52 + 3 * 8948, MTU)).isEqualTo(52);
        assertThat(Offload.packets(memory, AT, 52 + 3 * 8948, 52)).isEqualTo(3);
        assertThat(Offload.packets(memory, AT, 53 + 3 * 8948, 52)).isEqualTo(4);
        assertThat(Offload.packets(memory, AT, 53, 52)).isEqualTo(1);
    }

    @Test
    void congestionMarksDoNotChangeTheKind() {
        ByteBuffer memory = packet(TCP4 | 0x80, 1000, 3000, 6, 5);
        assertThat(Offload.headerBytes(memory, AT, 3000, MTU)).isEqualTo(40);
        assertThat(Offload.isSuper(packet(0x80, 0, 500, 6, 8), AT)).isFalse();
    }

    @Test
    void whatIsCutLargerThanTheMtuIsRefused() {
        assertThat(Offload.headerBytes(packet(TCP4, 8948, 20000, 6, 8), AT, 20000, 8999))
                .isZero();
        assertThat(Offload.headerBytes(packet(TCP4, 65000, 65535, 6, 8), AT, 65535, MTU))
                .isZero();
    }

    @Test
    void whatIsNoneOfTcpIsRefused() {
        assertThat(Offload.headerBytes(packet(TCP6, 1000, 3000, 6, 8), AT, 3000, MTU))
                .isZero();
        assertThat(Offload.headerBytes(packet(TCP4, 1000, 3000, 17, 8), AT, 3000, MTU))
                .isZero();
        assertThat(Offload.headerBytes(packet(TCP4, 0, 3000, 6, 8), AT, 3000, MTU))
                .isZero();
        assertThat(Offload.headerBytes(packet(TCP4, 1000, 30, 6, 8), AT, 30, MTU))
                .isZero();
        assertThat(Offload.headerBytes(packet(TCP4, 1000, 50, 6, 15), AT, 50, MTU))
                .isZero();
        assertThat(Offload.headerBytes(packet(TCP4, 1000, 3000, 6, 4), AT, 3000, MTU))
                .isZero();
        assertThat(Offload.headerBytes(packet(TCP4, 1000, 52, 6, 8), AT, 52, MTU))
                .as("nothing but headers")
                .isZero();
    }

    @Test
    void theEndOfTheHeadersIsSetInHostOrder() {
        ByteBuffer memory = packet(TCP4, 1000, 3000, 6, 8);
        Offload.setHeaderBytes(memory, AT, 52);
        assertThat(memory.order(ByteOrder.nativeOrder()).getShort(AT + 2)).isEqualTo((short) 52);
    }

    /** With an IP header of 20 bytes, and one of TCP of so many words. */
    private static ByteBuffer packet(int kind, int dataBytes, int bytes, int protocol, int tcpWords) {
        ByteBuffer memory = ByteBuffer.allocate(AT + Offload.BYTES + Math.max(bytes, 60));
        memory.put(AT + 1, (byte) kind);
        memory.order(ByteOrder.nativeOrder()).putShort(AT + 4, (short) dataBytes);
        memory.order(ByteOrder.BIG_ENDIAN);
        int ip = AT + Offload.BYTES;
        memory.put(ip, (byte) 0x45).putShort(ip + 2, (short) bytes).put(ip + 9, (byte) protocol);
        memory.put(ip + 20 + 12, (byte) (tcpWords << 4));
        return memory;
    }
}

package org.robber.emulation.testbed.wan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class Ipv4Test {

    private static final int OFFSET = 3;

    @Test
    void readsWhereAPacketGoes() {
        ByteBuffer packet = packet(100);
        assertThat(Ipv4.isVersion4(packet, OFFSET)).isTrue();
        assertThat(Ipv4.isWhole(packet, OFFSET, 100)).isTrue();
        assertThat(Ipv4.destination(packet, OFFSET)).isEqualTo(0x0a020001);
    }

    @Test
    void largestLengthIsNotNegative() {
        ByteBuffer packet = packet(65535);
        assertThat(Ipv4.isWhole(packet, OFFSET, 65535)).isTrue();
    }

    @Test
    void refusesWhatIsShorterOrLongerThanItSays() {
        ByteBuffer packet = packet(100);
        for (int length = 0; length < 200; length++) {
            assertThat(Ipv4.isWhole(packet, OFFSET, length))
                    .as("%s bytes", length)
                    .isEqualTo(length == 100);
        }
    }

    @Test
    void refusesHeadersThatAreTooShortOrTooLong() {
        ByteBuffer packet = packet(40);
        for (int words = 0; words < 16; words++) {
            packet.put(OFFSET, (byte) (0x40 | words));
            assertThat(Ipv4.isWhole(packet, OFFSET, 40))
                    .as("header of %s words", words)
                    .isEqualTo(words >= 5 && words <= 10);
        }
    }

    @Test
    void knowsOtherVersions() {
        ByteBuffer packet = packet(40);
        for (int version = 0; version < 16; version++) {
            packet.put(OFFSET, (byte) (version << 4 | 5));
            assertThat(Ipv4.isVersion4(packet, OFFSET)).isEqualTo(version == 4);
        }
    }

    @Test
    void knowsGroups() {
        assertThat(Ipv4.isMulticast(Subnet.parse("224.0.0.1/32").network())).isTrue();
        assertThat(Ipv4.isMulticast(Subnet.parse("239.255.255.255/32").network()))
                .isTrue();
        assertThat(Ipv4.isMulticast(Subnet.parse("223.255.255.255/32").network()))
                .isFalse();
        assertThat(Ipv4.isMulticast(Subnet.parse("240.0.0.0/32").network())).isFalse();
        assertThat(Ipv4.isMulticast(Subnet.parse("10.0.0.1/32").network())).isFalse();
    }

    private static ByteBuffer packet(int length) {
        return ByteBuffer.allocate(OFFSET + 65535)
                .put(OFFSET, (byte) 0x45)
                .putShort(OFFSET + 2, (short) length)
                .putInt(OFFSET + 16, 0x0a020001);
    }
}

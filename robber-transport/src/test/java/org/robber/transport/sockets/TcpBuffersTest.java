package org.robber.transport.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TcpBuffersTest {
    @Test
    void aConnectionMayHaveMoreOnTheWayThanAFewPackets() {
        assertThat(TcpBuffers.mostOnTheWay()).isGreaterThan(100_000);
    }
}

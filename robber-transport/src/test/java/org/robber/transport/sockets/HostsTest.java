package org.robber.transport.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThatCode;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostsTest {

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1", "127.3.2.1", "::1", "[::1]"})
    void loopbackIsMeantWhereItIsSaid(String host) throws Exception {
        assertThat(Hosts.listeningAt(host).get(0).isLoopbackAddress()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::"})
    void everyAddressIsMeantWhereItIsSaid(String host) throws Exception {
        assertThat(Hosts.listeningAt(host).get(0).isAnyLocalAddress()).isTrue();
    }

    @Test
    void nobodyListensAtLoopbackUnderTheMachinesOwnName() throws Exception {
        assumeThatCode(InetAddress::getLocalHost).doesNotThrowAnyException();
        String own = InetAddress.getLocalHost().getHostName();

        // In many tables of hosts it stands for 127.0.1.1, where no other machine would find it.
        assertThat("localhost".equals(own) || !Hosts.listeningAt(own).get(0).isLoopbackAddress())
                .isTrue();
    }

    @Test
    void addressesOfIpv6HaveBracketsBeforeThePort() {
        assertThat(Hosts.withPort("fd00::1", 7)).isEqualTo("[fd00::1]:7");
        assertThat(Hosts.withPort("10.0.0.1", 7)).isEqualTo("10.0.0.1:7");
    }

    @Test
    void whatIsNoNumericAddressIsNotAskedFor() throws Exception {
        InetAddress seen = InetAddress.getByName("10.0.0.1");

        assertThat(Hosts.numeric("", seen)).isEqualTo(seen);
        assertThat(Hosts.numeric("host.example", seen)).isEqualTo(seen);
        assertThat(Hosts.numeric("10.0.0.2", seen).getHostAddress()).isEqualTo("10.0.0.2");
    }
}

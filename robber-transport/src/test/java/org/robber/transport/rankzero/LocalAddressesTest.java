package org.robber.transport.rankzero;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.net.InetAddresses;
import java.net.InetAddress;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LocalAddressesTest {
    private static final InetAddress IPV4 = InetAddresses.forString("10.0.1.1");
    private static final InetAddress IPV6 = InetAddresses.forString("fd00::1");
    private static final InetAddress ELSEWHERE = InetAddresses.forString("203.0.113.1");

    private final LocalAddresses machine = new LocalAddresses(Set.of(IPV4, IPV6));

    @Test
    void rankZeroListensAtTheAddressOfItsName() {
        assertThat(machine.toListenAt("zero", List.of(IPV6))).isEqualTo(IPV6);
    }

    /** Some nodes may have IPv4 alone, and others IPv6 alone. */
    @Test
    void rankZeroListensEverywhereIfItsNameHasSeveralAddresses() {
        assertThat(machine.toListenAt("zero", List.of(IPV4, IPV6)).isAnyLocalAddress())
                .isTrue();
        assertThat(machine.toListenAt("zero", List.of(ELSEWHERE, IPV4)).isAnyLocalAddress())
                .isTrue();
    }

    @Test
    void rankZeroListensEverywhereIfItsNameIsThatOfAGateway() {
        assertThat(machine.toListenAt("gateway", List.of(ELSEWHERE)).isAnyLocalAddress())
                .isTrue();
    }
}

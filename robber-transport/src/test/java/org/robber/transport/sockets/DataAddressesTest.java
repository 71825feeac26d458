package org.robber.transport.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.net.InetAddresses;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

class DataAddressesTest {

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.0/8", "127.0.0.1/32", "lo", "localhost"})
    void loopbackHasManyNames(String network) {
        DataAddresses found = DataAddresses.find(network);
        assertThat(found.told()).containsExactly("127.0.0.1");
        assertThat(found.listening()).extracting(InetAddress::getHostAddress).containsExactly("127.0.0.1");
    }

    @Test
    void severalAddressesAreToldInTheirOrder() {
        DataAddresses found = DataAddresses.find("127.0.0.2, 127.0.0.0/8,203.0.113.0/24,127.0.0.2");
        assertThat(found.told()).containsExactly("127.0.0.2", "127.0.0.1");
        assertThat(found.listening()).extracting(InetAddress::getHostAddress).containsExactly("127.0.0.2", "127.0.0.1");
    }

    @Test
    void withoutANameAllAddressesAreToldBehindTheOneThatRankZeroSees() {
        DataAddresses found = DataAddresses.all();
        assertThat(found.told()).startsWith("").doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(5);
        assertThat(found.told().subList(1, found.told().size()))
                .allMatch(InetAddresses::isInetAddress)
                .noneMatch(address -> InetAddresses.forString(address).isLoopbackAddress());
        assertThat(found.listening()).hasSize(1).allMatch(InetAddress::isAnyLocalAddress);
    }

    /** Something passes on what comes to an address that is none of this machine. */
    @Test
    void anAddressOfSomethingElseIsTold() {
        DataAddresses found = DataAddresses.find("203.0.113.9");
        assertThat(found.told()).containsExactly("203.0.113.9");
        assertThat(found.listening()).hasSize(1).allMatch(InetAddress::isAnyLocalAddress);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"10.1/16", "127.0.0.0/33", "127.0.0.0/-1", "127.0.0.0/x", "/8", "::1/129", "eth/0", "lo,10.1/16"
            })
    void whatIsNoNetworkIsRefused(String network) {
        assertThatThrownBy(() -> DataAddresses.find(network))
                .isInstanceOfSatisfying(
                        RobberException.class,
                        failure -> assertThat(failure.reason()).isEqualTo(Reason.USAGE))
                .hasMessageContaining(network.replace("lo,", ""))
                .hasMessageContaining("10.1.0.0/16");
    }

    /** Peers would connect to themselves, or wait for a connection that cannot be. */
    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "224.0.0.1", "ff02::1"})
    void anAddressOfNoSingleNodeIsRefused(String address) {
        assertThatThrownBy(() -> DataAddresses.find(address))
                .isInstanceOfSatisfying(
                        RobberException.class,
                        failure -> assertThat(failure.reason()).isEqualTo(Reason.USAGE))
                .hasMessageContaining("no node can be reached at ")
                .hasMessageContaining("127.0.0.1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"203.0.113.0/24", "no-such-interface.invalid"})
    void whatThisMachineDoesNotHaveIsNamedWithWhatItHas(String network) {
        assertThatThrownBy(() -> DataAddresses.find(network))
                .isInstanceOf(RobberException.class)
                .hasMessageContaining(network)
                .hasMessageContaining("127.0.0.1");
    }
}

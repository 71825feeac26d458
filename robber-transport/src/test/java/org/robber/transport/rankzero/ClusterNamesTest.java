package org.robber.transport.rankzero;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.net.InetAddresses;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.robber.transport.control.ControlMessage.Member;

class ClusterNamesTest {

    @Test
    void ipv4SubnetsHave24Bits() {
        assertThat(subnet("10.0.1.7")).isEqualTo(subnet("10.0.1.250"));
        assertThat(subnet("10.0.1.7")).isNotEqualTo(subnet("10.0.2.7")).isNotEqualTo(subnet("10.1.1.7"));
    }

    @Test
    void ipv6SubnetsHave64Bits() {
        assertThat(subnet("2001:db8:0:1::1"))
                .isEqualTo(subnet("2001:db8:0:1:ffff::2"))
                .isNotEqualTo(subnet("2001:db8:0:2::1"));
    }

    @Test
    void loopbackIsOneSubnet() {
        assertThat(subnet("127.0.0.1"))
                .isEqualTo(subnet("127.1.2.3"))
                .isEqualTo(subnet("::1"))
                .isNotEqualTo(subnet("10.0.0.1"));
    }

    @Test
    void ipv4InsideIpv6IsIpv4() {
        assertThat(subnet("10.0.1.7")).isEqualTo(subnet("::ffff:10.0.1.8"));
    }

    @Test
    void lettersLeaveOutNamesThatNodesGave() {
        assertThat(ClusterNames.of(Arrays.asList(null, "B", "A", null, null), new int[] {0, 0, 0, 1, 0}))
                .containsExactly("C", "B", "A", "D", "C");
    }

    @Test
    void aJoinerOnTheMachineOfRankZeroIsInItsCluster() {
        LocalAddresses machine = new LocalAddresses(Set.of(InetAddresses.forString("10.0.1.1")));
        List<Member> members =
                List.of(new Member("X", "zero", 1, "10.0.1.1", 1), new Member("Y", "one", 1, "10.0.2.1", 1));
        assertThat(ClusterNames.ofJoiner(InetAddresses.forString("127.0.0.1"), members, machine))
                .isEqualTo("X");
        assertThat(ClusterNames.ofJoiner(InetAddresses.forString("10.0.2.9"), members, machine))
                .isEqualTo("Y");
        assertThat(ClusterNames.ofJoiner(InetAddresses.forString("10.0.3.9"), members, machine))
                .isEqualTo("A");
    }

    private static String subnet(String address) {
        return ClusterNames.subnet(InetAddresses.forString(address));
    }
}

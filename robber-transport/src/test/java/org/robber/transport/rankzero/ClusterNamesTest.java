package org.robber.transport.rankzero;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.net.InetAddresses;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.transport.rankzero.ClusterNames.Place;

class ClusterNamesTest {

    @Test
    void nodesOfOneSubnetAreOneCluster() {
        assertThat(names("10.0.1.7", "10.0.2.7", "10.0.1.250", "10.1.1.7")).containsExactly("A", "B", "A", "C");
    }

    @Test
    void ipv6SubnetsHave64Bits() {
        assertThat(names("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "2001:db8:0:2::1"))
                .containsExactly("A", "A", "B");
    }

    @Test
    void loopbackIsOneCluster() {
        assertThat(names("127.0.0.1", "127.1.2.3", "::1", "10.0.0.1")).containsExactly("A", "A", "A", "B");
    }

    @Test
    void ipv4InsideIpv6IsIpv4() {
        assertThat(names("10.0.1.7", "::ffff:10.0.1.8")).containsExactly("A", "A");
    }

    @Test
    void lettersLeaveOutNamesThatNodesGave() {
        List<Place> places = List.of(
                new Place(null, InetAddresses.forString("10.0.1.1")),
                new Place("B", InetAddresses.forString("10.0.1.2")),
                new Place("A", InetAddresses.forString("10.0.1.3")),
                new Place(null, InetAddresses.forString("10.0.2.1")),
                new Place(null, InetAddresses.forString("10.0.1.4")));

        assertThat(ClusterNames.of(places)).containsExactly("C", "B", "A", "D", "C");
    }

    private static List<String> names(String... addresses) {
        List<Place> places = new ArrayList<>();
        for (String address : addresses) {
            places.add(new Place(null, InetAddresses.forString(address)));
        }
        return ClusterNames.of(places);
    }
}

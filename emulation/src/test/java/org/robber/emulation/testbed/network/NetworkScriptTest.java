package org.robber.emulation.testbed.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.emulation.scenario.NodePlace;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioReader;
import org.robber.emulation.testbed.sandbox.TestbedException;

class NetworkScriptTest {

    @Test
    void addressesFollowPlaces() {
        assertThat(AddressPlan.address(new NodePlace(0, 0))).isEqualTo("10.1.0.1");
        assertThat(AddressPlan.address(new NodePlace(3, 249))).isEqualTo("10.4.0.250");
        assertThat(AddressPlan.address(new NodePlace(249, 63_749))).isEqualTo("10.250.254.250");
        assertThat(AddressPlan.gateway(3)).isEqualTo("10.4.255.254");
        assertThat(AddressPlan.subnet(3)).isEqualTo("10.4.0.0/16");
    }

    @Test
    void moreThanThereAreAddressesIsRefused() {
        Scenario tooMany =
                scenario("{'name':'A','nodes':63751}", "A/0"); // one more than the last address before the gateway's
        assertThatThrownBy(() -> NetworkScript.clusters(tooMany, "cubic"))
                .isInstanceOf(TestbedException.class)
                .hasMessage("more than 63750 nodes in A");
    }

    @Test
    void everyNodeHasANamespaceAndAPortAtItsRouter() {
        List<String> script =
                NetworkScript.clusters(scenario("{'name':'A','nodes':1},{'name':'B','nodes':2}", "A/0"), "cubic");

        assertThat(script)
                .filteredOn(line -> line.startsWith("ip netns add"))
                .containsExactly(
                        "ip netns add r0", "ip netns add n0", "ip netns add r1", "ip netns add n1", "ip netns add n2");
        assertThat(script)
                .containsSubsequence(
                        "ip -n r1 link add lan type bridge mcast_snooping 0",
                        "ip -n r1 addr add 10.2.255.254/16 dev lan",
                        "ip -n n2 link add eth0 mtu 9000 type veth peer name p1 mtu 9000 netns r1",
                        "ip -n r1 link set p1 master lan up",
                        "ip -n n2 link set eth0 up",
                        "ip -n n2 addr add 10.2.0.2/16 dev eth0",
                        "ip -n n2 route add default via 10.2.255.254")
                .noneMatch(line -> line.startsWith("tc "));
    }

    @Test
    void namespacesKeepNoMetricsAndRoutersForward() {
        List<String> script = NetworkScript.clusters(scenario("{'name':'A','nodes':1}", "A/0"), "cubic");

        String metrics = "echo 1 >/proc/sys/net/ipv4/tcp_no_metrics_save";
        String forward = "echo 1 >/proc/sys/net/ipv4/ip_forward";
        assertThat(script)
                .anyMatch(line -> line.startsWith("nsenter --net=/run/netns/r0 ") && line.contains(forward))
                .anyMatch(line -> line.startsWith("nsenter --net=/run/netns/n0 ") && line.contains(metrics))
                .noneMatch(line -> line.startsWith("nsenter --net=/run/netns/n0 ") && line.contains(forward));
    }

    @Test
    void cardsAreShapedAtBothEnds() {
        List<String> script = NetworkScript.clusters(
                scenario("{'name':'A','nodes':2,'node_up':[10,null],'node_down':[null,5],'nic':'wan'}", "A/0"),
                "cubic");

        assertThat(script)
                .filteredOn(line -> line.contains("qdisc replace"))
                .containsExactly(
                        "tc -n n0 qdisc replace dev eth0 root handle 1: htb default 3",
                        "tc -n r0 qdisc replace dev p1 root handle 1: htb default 3");
    }

    @Test
    void aLimitForAllLocalTrafficMakesItPassTheRouter() {
        List<String> script = NetworkScript.clusters(scenario("{'name':'A','nodes':1,'lan':20}", "A/0"), "cubic");

        assertThat(script)
                .contains(
                        "ip -n n0 addr add 10.1.0.1/32 dev eth0",
                        "ip -n n0 route add 10.1.255.254 dev eth0",
                        "tc -n r0 qdisc replace dev lan root handle 1: htb default 3");
    }

    @Test
    void uplinksAreMovedToTheirRouters() {
        assertThat(NetworkScript.uplinks(scenario("{'name':'A','nodes':1},{'name':'B','nodes':1}", "A/0")))
                .containsSubsequence(
                        "ip link set wan1 netns r1",
                        "ip -n r1 link set wan1 mtu 9000 up",
                        "ip -n r1 route add 10.0.0.0/8 dev wan1");
    }

    private static Scenario scenario(String clusters, String root) {
        return ScenarioReader.parse(
                "test",
                ("{'name':'test','root':'" + root + "','clusters':[" + clusters + "],'links':{},'phases':[]}")
                        .replace('\'', '"'));
    }
}

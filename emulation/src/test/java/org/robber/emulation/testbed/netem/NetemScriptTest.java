package org.robber.emulation.testbed.netem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioReader;
import org.robber.emulation.testbed.sandbox.TestbedException;

/** What is told to kernels that have netem. */
class NetemScriptTest {

    private static final Scenario SCENARIO = ScenarioReader.parse(
            "test",
            ("{'name':'test','root':'A/0','clusters':[{'name':'A','nodes':1,'access_up':10},{'name':'B','nodes':1,"
                            + "'access_down':5},{'name':'C','nodes':1}],'links':{'A-B':{'mbps':9,'delay_ms':10,'loss':0.001},"
                            + "'B-A':{'mbps':4.5},'A-C':{'mbps':1,'delay_ms':100}},"
                            + "'phases':[{'at':1,'links':{'A-B':{'mbps':18},'B-A':{'mbps':0}}}]}")
                    .replace('\'', '"'));

    @Test
    void everyRouterHasALineToTheCore() {
        assertThat(NetemScript.core(SCENARIO))
                .containsSubsequence(
                        "ip netns add core",
                        "ip link add wan1 mtu 9000 type veth peer name c1 mtu 9000 netns core",
                        "ip -n core addr add 192.168.2.1/30 dev c1",
                        "ip -n core route add 10.2.0.0/16 via 192.168.2.2",
                        "tc -n core qdisc add dev c1 root handle 1: htb",
                        "tc -n core class add dev c1 parent 1: classid 1:1 htb rate 40062222 ceil 40062222 burst 18028"
                                + " cburst 18028 quantum 18028");
        assertThat(NetemScript.routers(SCENARIO))
                .containsSubsequence(
                        "ip -n r0 addr add 192.168.1.2/30 dev wan0",
                        "ip -n r0 route replace 10.0.0.0/8 via 192.168.1.1",
                        "tc -n r0 qdisc add dev wan0 root handle 1: htb default 1",
                        "ip -n r1 addr add 192.168.2.2/30 dev wan1")
                .noneMatch(line -> line.startsWith("tc -n r1"));
    }

    @Test
    void linksHaveRateDelayAndLoss() {
        List<String> script = NetemScript.links(SCENARIO, SCENARIO.phases().get(0), true);

        // rates count frames: 14 bytes more than a packet
        assertThat(script)
                .containsSubsequence(
                        "tc -n core class add dev c1 parent 1:1 classid 1:10 htb rate 13354074 ceil 72112000 burst"
                                + " 18028 cburst 18028 quantum 18028",
                        "tc -n core qdisc add dev c1 parent 1:10 handle 10: netem limit 74 delay 10000us loss 0.1000%",
                        "tc -n core filter add dev c1 parent 1: protocol ip prio 1 u32 match ip src 10.1.0.0/16 flowid"
                                + " 1:10")
                .contains(
                        "tc -n core qdisc add dev c0 parent 1:11 handle 11: netem limit 64 delay 0us",
                        "tc -n core qdisc add dev c2 parent 1:10 handle 10: netem limit 76 delay 100000us");
    }

    @Test
    void pairsWithoutALinkPassNothing() {
        assertThat(NetemScript.links(SCENARIO, SCENARIO.phases().get(0), true))
                .contains("tc -n core qdisc add dev c1 parent 1:12 handle 12: netem loss 100%");
    }

    @Test
    void phasesChangeWhatIsThere() {
        assertThat(NetemScript.links(SCENARIO, SCENARIO.phases().get(1), false))
                .containsSubsequence(
                        "tc -n core class change dev c1 parent 1:1 classid 1:10 htb rate 13354074 ceil 144224000 burst"
                                + " 18028 cburst 36056 quantum 18028",
                        "tc -n core qdisc replace dev c1 parent 1:10 handle 10: netem limit 120 delay 10000us loss"
                                + " 0.1000%")
                .contains("tc -n core qdisc replace dev c0 parent 1:11 handle 11: netem loss 100%")
                .noneMatch(line -> line.contains(" add "));
    }

    @Test
    void packetsInAQueueSurviveEveryPhase() {
        for (int phase = 0; phase < SCENARIO.phases().size(); phase++) {
            List<String> made = NetemScript.links(SCENARIO, SCENARIO.phases().get(0), true);
            List<String> changed = NetemScript.links(SCENARIO, SCENARIO.phases().get(phase), false);

            // the kernel empties a queue whose kind changes
            assertThat(kinds(changed)).containsExactlyElementsOf(kinds(made));
        }
    }

    @Test
    void whatIsOnItsWayLeavesALinkThatEnds() {
        assertThat(NetemScript.links(SCENARIO, SCENARIO.phases().get(1), false))
                .noneMatch(line -> line.contains("class change dev c0 parent 1:1 classid 1:11 "));
    }

    @Test
    void ratesAloneNeedNoNetem() {
        Scenario rates = ScenarioReader.parse(
                "rates",
                "{'name':'rates','root':'A/0','clusters':[{'name':'A','nodes':1},{'name':'B','nodes':1}],"
                        .concat("'links':{'A-B':{'mbps':9},'B-A':{'mbps':4}}}")
                        .replace('\'', '"'));

        assertThat(NetemScript.needsNetem(rates)).isFalse();
        assertThat(kinds(NetemScript.links(rates, rates.phases().get(0), true))).containsExactly("bfifo", "bfifo");
        assertThat(NetemScript.needsNetem(SCENARIO)).isTrue();
    }

    /** The kind of each pair's queue, in order. */
    private static List<String> kinds(List<String> script) {
        return script.stream()
                .filter(line -> line.contains(" qdisc "))
                .map(line -> line.replaceAll(".* handle [0-9a-f]+: (\\w+) .*", "$1"))
                .toList();
    }

    @Test
    void countsAreThoseOfPackets() {
        String said = """
            to 0
            class htb 1:11 parent 1:1 leaf 11: prio 0 rate 36Mbit ceil 36Mbit burst 18028b cburst 18028b
             Sent 90140 bytes 10 pkt (dropped 0, overlimits 3 requeues 0)
             backlog 0b 0p requeues 0
             lended: 10 borrowed: 0 giants: 0

            class htb 1:1 root rate 32Gbit ceil 32Gbit burst 8Mb cburst 8Mb
             Sent 99999 bytes 11 pkt (dropped 0, overlimits 0 requeues 0)
            to 1
            class htb 1:10 parent 1:1 leaf 10: prio 0 rate 72Mbit ceil 72Mbit burst 18028b cburst 18028b
             Sent 0 bytes 0 pkt (dropped 0, overlimits 0 requeues 0)
            """;

        assertThat(NetemScript.bytes(said))
                .containsEntry(new ClusterPair(1, 0), 90_000L)
                .containsEntry(new ClusterPair(0, 1), 0L)
                .hasSize(2);
    }

    @Test
    void anythingElseIsRefused() {
        assertThatThrownBy(() -> NetemScript.bytes("Cannot find device")).isInstanceOf(TestbedException.class);
    }
}

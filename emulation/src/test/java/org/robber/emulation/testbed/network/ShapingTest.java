package org.robber.emulation.testbed.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.robber.emulation.scenario.NicScope;
import org.robber.emulation.testbed.network.Shaping.Side;

class ShapingTest {

    private static final double NONE = Double.POSITIVE_INFINITY;
    private static final Pattern CLASS =
            Pattern.compile("classid (1:\\d) htb rate (\\d+) ceil (\\d+) burst (\\d+) cburst (\\d+)");

    @Test
    void noLimitNeedsNothing() {
        assertThat(script(Shaping.card(NONE, NicScope.ALL, NONE))).isEmpty();
        assertThat(script(Shaping.card(NONE, NicScope.WAN, NONE))).isEmpty();
    }

    @Test
    void aCardForAllTrafficLimitsItsSum() {
        List<String> script = script(Shaping.card(10e6, NicScope.ALL, NONE));

        assertThat(rate(script, "1:1")).isEqualTo(80_000_000);
        assertThat(ceiling(script, "1:1")).isEqualTo(80_000_000);
        assertThat(ceiling(script, "1:2")).isEqualTo(80_000_000);
        assertThat(ceiling(script, "1:3")).isEqualTo(80_000_000);
        assertThat(rate(script, "1:2") + rate(script, "1:3"))
                .as("what classes may send whatever the others do")
                .isLessThanOrEqualTo(80_000_000);
    }

    @Test
    void aCardForTheWanLeavesLocalTrafficAlone() {
        List<String> script = script(Shaping.card(12.5e6, NicScope.WAN, NONE));

        assertThat(ceiling(script, "1:2")).isGreaterThan(10_000_000_000L);
        assertThat(ceiling(script, "1:3")).isEqualTo(100_000_000);
        assertThat(script)
                .contains("tc -n n0 filter add dev eth0 parent 1: protocol ip prio 2 u32 match ip dst 10.1.0.0/16"
                        + " flowid 1:2");
    }

    @Test
    void aLimitForLocalTrafficHoldsWithinTheCard() {
        List<String> script = script(Shaping.card(10e6, NicScope.ALL, 4e6));

        assertThat(ceiling(script, "1:2")).isEqualTo(32_000_000);
        assertThat(ceiling(script, "1:3")).isEqualTo(80_000_000);
    }

    @Test
    void routersKnowLocalTrafficByItsSource() {
        assertThat(Shaping.card(10e6, NicScope.WAN, NONE).script("r0", "p0", Side.SOURCE, "10.1.0.0/16"))
                .anyMatch(line -> line.contains("match ip src 10.1.0.0/16"));
    }

    @Test
    void burstsAndQueuesHoldPacketsEvenAtLowRates() {
        List<String> script = script(Shaping.card(1e5, NicScope.ALL, NONE));

        Matcher matcher = shaping(script, "1:3");
        assertThat(Long.parseLong(matcher.group(4))).isGreaterThanOrEqualTo(AddressPlan.MTU);
        assertThat(Long.parseLong(matcher.group(5))).isGreaterThanOrEqualTo(AddressPlan.MTU);
        assertThat(script).contains("tc -n n0 qdisc add dev eth0 parent 1:3 handle 30: bfifo limit 144224");
    }

    @Test
    void addressResolutionDoesNotQueueBehindData() {
        assertThat(script(Shaping.card(1e5, NicScope.ALL, NONE)))
                .anyMatch(line -> line.contains("parent 1: classid 1:4"))
                .anyMatch(line -> line.contains("protocol arp") && line.endsWith("flowid 1:4"));
    }

    private static List<String> script(Shaping shaping) {
        return shaping.script("n0", "eth0", Side.DESTINATION, "10.1.0.0/16");
    }

    private static long rate(List<String> script, String id) {
        return Long.parseLong(shaping(script, id).group(2));
    }

    private static long ceiling(List<String> script, String id) {
        return Long.parseLong(shaping(script, id).group(3));
    }

    private static Matcher shaping(List<String> script, String id) {
        return script.stream()
                .map(CLASS::matcher)
                .filter(matcher -> matcher.find() && matcher.group(1).equals(id))
                .findFirst()
                .orElseThrow();
    }
}

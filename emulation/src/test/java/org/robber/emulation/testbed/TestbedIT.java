package org.robber.emulation.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.data.Percentage.withPercentage;

import com.google.common.collect.ImmutableList;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.testbed.calibration.Measured;
import org.robber.emulation.testbed.program.NodeExit;
import org.robber.emulation.testbed.program.ProgramRun;
import org.robber.emulation.testbed.program.StartSignal;
import org.robber.emulation.testbed.sandbox.TestbedException;

/** Real namespaces, devices and programs; needs root. */
class TestbedIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String TWO_CLUSTERS = "{'name':'A','nodes':2},{'name':'B','nodes':1}";

    @BeforeEach
    void needsRoot() {
        Networks.assumePossible();
    }

    @Test
    void programsFindTheirPlaceAndEachOther() throws Exception {
        Scenario scenario = Networks.of(TWO_CLUSTERS, "'A-B':{'mbps':10,'delay_ms':1},'B-A':{'mbps':10,'delay_ms':1}");
        String command = "echo \"$ROBBER_RANK of $ROBBER_SIZE in {cluster} at {address}\"; ip -4 -br addr show eth0;"
                // in its process namespace, too, every testbed is alone
                + " ls /proc | grep -c '^[0-9]*$'; cat /proc/sys/net/ipv4/tcp_no_metrics_save";
        try (Testbed testbed = Networks.open(scenario)) {
            ProgramRun run = testbed.run(Networks.command(command).programs(testbed), StartSignal.data(), LIMIT);

            assertThat(run.exits()).extracting(NodeExit::errors).containsOnly("");
            assertThat(run.allWell()).isTrue();
            assertThat(run.started()).isFalse();
            assertThat(run.exits().get(2).output())
                    .startsWith("2 of 3 in B at 10.2.0.1\n")
                    .contains("10.2.0.1/16");
            List<String> lines = run.exits().get(2).output().lines().toList();
            assertThat(Integer.parseInt(lines.get(2))).isLessThan(30);
            assertThat(lines.get(3)).isEqualTo("1");
        }
    }

    @Test
    void linksGiveWhatTheScenarioAsksFor() throws Exception {
        Scenario scenario = Networks.of(TWO_CLUSTERS, "'A-B':{'mbps':8,'delay_ms':15},'B-A':{'mbps':2,'delay_ms':5}");
        try (Testbed testbed = Networks.open(scenario)) {
            assertThat(testbed.calibrate())
                    .hasSize(2)
                    .allMatch(Measured::isRateRight)
                    .allMatch(Measured::isRoundTripRight);
        }
    }

    @Test
    void cardsForTheWanLimitWhatLeavesAndEnters() throws Exception {
        // either direction is limited by another side's cards; a list, because nodes differ
        Scenario scenario = Networks.of(
                "{'name':'A','nodes':2,'node_up':[3,2],'nic':'wan'},{'name':'B','nodes':2,'node_up':8,'node_down':[6,0.5]}",
                "'A-B':{'mbps':100,'delay_ms':2},'B-A':{'mbps':100,'delay_ms':2}");
        try (Testbed testbed = Networks.open(scenario)) {
            assertThat(testbed.calibrate())
                    .extracting(Measured::pair, Measured::wantedBytesPerSecond)
                    .containsExactly(tuple(new ClusterPair(0, 1), 3.5e6), tuple(new ClusterPair(1, 0), 16e6));
        }
    }

    @Test
    void theKernelsNetworkNeedsNetemForDelaysOnly() throws Exception {
        Scenario scenario = Networks.of(
                "{'name':'A','nodes':1,'access_up':6},{'name':'B','nodes':1},{'name':'C','nodes':1,'access_down':4}",
                "'A-B':{'mbps':5},'B-A':{'mbps':2},'A-C':{'mbps':5},'C-A':{'mbps':2},'B-C':{'mbps':3},'C-B':{'mbps':2}");
        TestbedOptions options = TestbedOptions.forData(0, 3).withWan(WanKind.NETEM);
        try (Testbed testbed = Testbed.open(scenario, options)) {
            assertThat(testbed.calibrate())
                    .extracting(Measured::wantedBytesPerSecond)
                    .containsExactly(5e6, 4e6, 2e6, 3e6, 2e6, 2e6);
        }
    }

    @Test
    void accessLinksLimitAll() throws Exception {
        Scenario scenario = Networks.of(
                "{'name':'A','nodes':1,'access_up':6},{'name':'B','nodes':1},{'name':'C','nodes':1,'access_down':4}",
                "'A-B':{'mbps':50},'B-A':{'mbps':1},'B-C':{'mbps':50},'C-B':{'mbps':1}");
        try (Testbed testbed = Networks.open(scenario)) {
            assertThat(testbed.calibrate())
                    .extracting(Measured::wantedBytesPerSecond)
                    .containsExactly(6e6, 1e6, 4e6, 1e6);
        }
    }

    /** Of two pairs of nodes of a cluster that send at the same time, and what they reach together. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'node_up':[4,null,2,null]            | 6",
                "'node_down':3                        | 6",
                "'lan_up':5                           | 10",
                "'lan':8                              | 8",
                "'node_up':1,'nic':'wan','lan_up':5   | 10"
            })
    void limitsWithinAClusterHold(String limits, double wantedMegabytes) throws Exception {
        Scenario scenario = Networks.of("{'name':'A','nodes':4," + limits + "}", "");
        String endless = " 1000000000000";
        String command = "case {rank} in 1|3) exec " + Crossing.command("serve") + ";; 0) exec "
                + Crossing.command("send 10.1.0.2" + endless) + ";; 2) exec "
                + Crossing.command("send 10.1.0.4" + endless) + ";; esac";
        try (Testbed testbed = Networks.open(scenario)) {
            ProgramRun run = testbed.run(
                    Networks.command(command).programs(testbed),
                    StartSignal.line(Crossing.DATA),
                    Duration.ofSeconds(7));

            assertThat(run.started()).isTrue();
            double got = received(run, 1) + received(run, 3);
            assertThat(got / 1e6).isCloseTo(wantedMegabytes, withPercentage(3));
        }
    }

    /** Bytes per second, when bursts and the first windows are over. */
    private static double received(ProgramRun run, int rank) {
        List<Long> totals = run.timeline().nodeBytes().get(rank);
        int from = 6;
        int to = totals.size() - 1;
        assertThat(to).as("samples").isGreaterThanOrEqualTo(from + 4);
        return (totals.get(to) - totals.get(from))
                * 1e9
                / ((to - from) * run.timeline().intervalNanos());
    }

    @Test
    void aWayWithoutReturnIsRefused() {
        Scenario scenario = Networks.of(TWO_CLUSTERS, "'A-B':{'mbps':10}");
        try (Testbed testbed = Networks.open(scenario)) {
            assertThatThrownBy(testbed::calibrate)
                    .isInstanceOf(TestbedException.class)
                    .hasMessageContaining("A-B has no way back");
        }
    }

    @Test
    void whatIsNotAsWantedIsSaid() throws Exception {
        Scenario scenario = Networks.of(TWO_CLUSTERS, "'A-B':{'mbps':10,'delay_ms':1},'B-A':{'mbps':10,'delay_ms':1}");
        try (Testbed testbed = Networks.open(scenario)) {
            testbed.shell(
                    ImmutableList.of("tc -n r0 qdisc replace dev wan0 root tbf rate 40mbit burst 20k limit 400k"));

            assertThatThrownBy(testbed::calibrate)
                    .isInstanceOf(TestbedException.class)
                    .hasMessageFindingMatch("A-B: [45]\\.")
                    .hasMessageContaining("MB/s of 10.000");
        }
    }

    @Test
    void aCommandThatFailsIsNamed() {
        try (Testbed testbed = Networks.open(Networks.of("{'name':'A','nodes':1}", ""))) {
            assertThatThrownBy(
                            () -> testbed.shell(ImmutableList.of("true", "ip link set nothing up", "touch /nowhere")))
                    .isInstanceOf(TestbedException.class)
                    .hasMessageContaining("ip link set nothing up")
                    .hasMessageContaining("Cannot find device")
                    .hasMessageNotContaining("nowhere");
        }
    }

    @Test
    void whatHasCrossedIsCountedFromOutside() throws Exception {
        Scenario scenario = Networks.of(
                TWO_CLUSTERS,
                "'A-B':{'mbps':20,'delay_ms':1},'B-A':{'mbps':20,'delay_ms':1}",
                "{'at':0.5,'links':{'A-B':{'mbps':10}}}");
        String command = "if [ {rank} = 2 ]; then exec " + Crossing.command("serve") + "; fi;"
                + "if [ {rank} = 0 ]; then exec " + Crossing.command("send 10.2.0.1 20000000") + "; fi";
        try (Testbed testbed = Networks.open(scenario)) {
            ProgramRun run = testbed.run(Networks.command(command).programs(testbed), StartSignal.data(), LIMIT);

            assertThat(run.exits()).extracting(NodeExit::errors).containsOnly("");
            assertThat(run.allWell()).isTrue();
            assertThat(run.started()).isTrue();
            // less the first mebibyte, by which the start is known; more by headers
            assertThat(run.crossedBytes().get(new ClusterPair(0, 1))).isBetween(15_000_000L, 20_500_000L);
            assertThat(run.crossedBytes().get(new ClusterPair(1, 0))).isBetween(1_000L, 1_000_000L);
            assertThat(run.nanos())
                    .as("half a second at 20 MB/s, the rest at 10")
                    .isGreaterThan(1_200_000_000L);
            List<Long> received = run.timeline().nodeBytes().get(2);
            assertThat(received.get(received.size() - 1)).isGreaterThan(10_000_000L);
            assertThat(run.timeline().nodeBytes().get(1)).allMatch(bytes -> bytes < 100_000);
        }
    }
}

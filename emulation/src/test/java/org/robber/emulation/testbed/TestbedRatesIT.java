package org.robber.emulation.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.data.Percentage.withPercentage;

import com.google.common.collect.ImmutableList;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.testbed.calibration.LinkMeasurement;
import org.robber.emulation.testbed.program.ProgramRun;
import org.robber.emulation.testbed.program.StartSignal;
import org.robber.emulation.testbed.sandbox.TestbedException;

/**
 * Whether limits of a testbed hold to 3 %. Only on request, with {@code -Dit.test=TestbedRatesIT}: a machine that does something else
 * beside it measures that.
 */
@Tag("measure")
class TestbedRatesIT {

    private static final String TWO_CLUSTERS = "{'name':'A','nodes':2},{'name':'B','nodes':1}";

    @BeforeEach
    void needsRootAndQuiet() {
        Networks.assumePossible();
    }

    @Test
    void linksGiveWhatTheScenarioAsksFor() throws Exception {
        Scenario scenario = Networks.of(TWO_CLUSTERS, "'A-B':{'mbps':8,'delay_ms':15},'B-A':{'mbps':2,'delay_ms':5}");
        try (Testbed testbed = Networks.open(scenario)) {
            assertThat(testbed.calibrate())
                    .hasSize(2)
                    .allMatch(LinkMeasurement::isRateRight)
                    .allMatch(LinkMeasurement::isRoundTripRight);
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
                    .extracting(LinkMeasurement::pair, LinkMeasurement::wantedBytesPerSecond)
                    .containsExactly(tuple(new ClusterPair(0, 1), 3.5e6), tuple(new ClusterPair(1, 0), 16e6));
        }
    }

    @Test
    void theKernelsNetworkNeedsNetemForDelaysOnly() throws Exception {
        Scenario scenario = Networks.of(
                "{'name':'A','nodes':1,'access_up':6},{'name':'B','nodes':1},{'name':'C','nodes':1,'access_down':4}",
                "'A-B':{'mbps':5},'B-A':{'mbps':2},'A-C':{'mbps':5},'C-A':{'mbps':2},'B-C':{'mbps':3},'C-B':{'mbps':2}");
        TestbedOptions options = TestbedOptions.forData(0, 3, new TestbedOptions.Choices(WanKind.NETEM, null, false));
        try (Testbed testbed = Testbed.open(scenario, options)) {
            assertThat(testbed.calibrate())
                    .extracting(LinkMeasurement::wantedBytesPerSecond)
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
                    .extracting(LinkMeasurement::wantedBytesPerSecond)
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
                    Networks.command(command).programs(testbed), StartSignal.event(), Duration.ofSeconds(7));

            assertThat(run.started()).isTrue();
            double got = received(run, 1) + received(run, 3);
            assertThat(got / 1e6).isCloseTo(wantedMegabytes, withPercentage(3));
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
}

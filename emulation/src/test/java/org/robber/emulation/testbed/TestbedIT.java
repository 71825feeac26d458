package org.robber.emulation.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.robber.emulation.scenario.ClusterPair;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.testbed.calibration.LinkMeasurement;
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
    @Tag("smoke")
    void programsFindTheirPlaceAndEachOther() throws Exception {
        Scenario scenario = Networks.of(TWO_CLUSTERS, "'A-B':{'mbps':10,'delay_ms':1},'B-A':{'mbps':10,'delay_ms':1}");
        String command = "echo \"$ROBBER_RANK of $ROBBER_SIZE in {cluster} at {address}\"; ip -4 -br addr show eth0;"
                // in its process namespace, too, every testbed is alone
                + " ls /proc | grep -c '^[0-9]*$'; cat /proc/sys/net/ipv4/tcp_no_metrics_save";
        try (Testbed testbed = Networks.open(scenario)) {
            ProgramRun run = testbed.run(Networks.command(command).programs(testbed), StartSignal.eventOrData(), LIMIT);

            assertThat(run.exits()).extracting(NodeExit::errors).containsOnly("");
            assertThat(run.exits()).allMatch(exit -> exit.exitCode() == 0);
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
    void neitherTheCalibrationNorProgramsBeforeCountForARun() throws Exception {
        Scenario scenario =
                Networks.of(TWO_CLUSTERS, "'A-B':{'mbps':0.8,'delay_ms':1},'B-A':{'mbps':0.8,'delay_ms':1}");
        String leavesPrograms = "(trap '' TERM; sleep 600) & echo; (trap '' TERM; sleep 600)";
        try (Testbed testbed = Networks.open(scenario)) {
            testbed.calibrate();
            ProgramRun first = testbed.run(
                    Networks.command(leavesPrograms).programs(testbed),
                    StartSignal.eventOrData(),
                    Duration.ofSeconds(1));

            assertThat(first.inTime()).isFalse();
            assertThat(first.started()).isFalse();
            assertThat(first.crossedBytes().values()).allMatch(bytes -> bytes < 10_000);
            assertThat(first.cpuNanos()).isLessThan(300_000_000L);

            ProgramRun second = testbed.run(
                    Networks.command("ps -e -o stat,comm | grep sleep | grep -vc ^Z")
                            .programs(testbed),
                    StartSignal.eventOrData(),
                    LIMIT);
            assertThat(second.exits()).extracting(NodeExit::output).containsOnly("0\n");
        }
    }

    @Test
    void aLinkWithoutALimitIsCalibratedByItsRoundTrip() throws Exception {
        Scenario scenario = Networks.of(TWO_CLUSTERS, "'A-B':{'delay_ms':20},'B-A':{'mbps':10,'delay_ms':20}");
        try (Testbed testbed = Networks.open(scenario)) {
            assertThat(testbed.calibrate()).hasSize(2).allMatch(LinkMeasurement::isRoundTripRight);
        }
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
    void netemIsUsedOnlyWhenAskedForAndOnlyWhereItWorks() {
        Scenario scenario = Networks.of(TWO_CLUSTERS, "'A-B':{'mbps':10,'delay_ms':1},'B-A':{'mbps':10,'delay_ms':1}");
        try (Testbed testbed = Networks.open(scenario)) {
            assertThat(testbed.wan()).isEqualTo(WanKind.TUN);
        }
        TestbedOptions netem =
                TestbedOptions.forData(0, scenario.nodeCount(), new TestbedOptions.Choices(WanKind.NETEM, null, false));
        try (Testbed testbed = Testbed.open(scenario, netem)) {
            assertThat(testbed.wan()).isEqualTo(WanKind.NETEM);
        } catch (TestbedException e) {
            assertThat(e).hasMessageContaining("this kernel has no netem").hasMessageContaining("--wan=tun");
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
            ProgramRun run = testbed.run(Networks.command(command).programs(testbed), StartSignal.eventOrData(), LIMIT);

            assertThat(run.exits()).extracting(NodeExit::errors).containsOnly("");
            assertThat(run.exits()).allMatch(exit -> exit.exitCode() == 0);
            assertThat(run.started()).isTrue();
            // less the first mebibyte, by which the start is known; more by headers
            assertThat(run.crossedBytes().get(new ClusterPair(0, 1))).isBetween(1_000_000L, 25_000_000L);
            assertThat(run.crossedBytes().get(new ClusterPair(1, 0))).isBetween(1_000L, 2_000_000L);
            assertThat(run.nanos())
                    .as("half a second at 20 MB/s, the rest at 10")
                    .isGreaterThan(1_200_000_000L);
            List<Long> received = run.timeline().nodeBytes().get(2);
            assertThat(received.get(received.size() - 1)).isGreaterThan(10_000_000L);
            assertThat(run.timeline().nodeBytes().get(1)).allMatch(bytes -> bytes < 100_000);
        }
    }
}

package org.robber.emulation.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.robber.emulation.simulator.Drawings.MILLI;
import static org.robber.emulation.simulator.Drawings.cluster;
import static org.robber.emulation.simulator.Drawings.links;
import static org.robber.emulation.simulator.Drawings.withCards;

import com.google.common.collect.ImmutableList;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.robber.core.strategy.Strategies;
import org.robber.emulation.run.NodeRun;
import org.robber.emulation.run.RunResult;
import org.robber.emulation.scenario.ClusterSpec;
import org.robber.emulation.scenario.NodePlace;
import org.robber.emulation.scenario.Origin;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.simulator.fault.Fault;
import org.robber.emulation.simulator.fault.FaultPlan;

/** Many nodes and few pieces: a few members of each cluster, its gateways, bring the pieces in. */
class FewPiecesTest {
    private static final long BYTES = 16_000_000;

    /** Of 40 members, those with the indices 0 and 20 are gateways: rank 40 is the first one of the second cluster. */
    private static final int GATEWAY = 40;

    @ParameterizedTest
    @ValueSource(strings = {"robber", "mob"})
    void aLineIsNotSharedByAllMembers(String strategy) {
        assertThat(seconds(strategy, threeClusters(40, 40, 40), FaultPlan.NONE)).isLessThan(1.25 * 1.6);
    }

    @Test
    void clustersOfUnequalSizesAreAsFast() {
        assertThat(seconds("robber", threeClusters(3, 40, 17), FaultPlan.NONE)).isLessThan(1.25 * 1.6);
    }

    @Test
    void aGatewayWithASlowCardIsRelievedByItsMates() {
        Double[] cards = Collections.nCopies(40, Double.POSITIVE_INFINITY).toArray(new Double[0]);
        cards[0] = 50_000.0;
        // Alone it would take 160 s for its half of the data.
        assertThat(seconds("robber", threeClusters(40, withCards(cluster("B", 40), cards), 40), FaultPlan.NONE))
                .isLessThan(10);
    }

    @Test
    void theWorkOfADeadGatewayIsTakenOver() {
        double undisturbed = seconds("robber", threeClusters(40, 40, 40), FaultPlan.NONE);
        for (long atMillis : new long[] {0, 200, 800}) {
            FaultPlan death = plan(new Fault.Crash(atMillis * MILLI, GATEWAY));
            assertThat(secondsOfSurvivors(death)).isLessThan(undisturbed + 3);
        }
    }

    @Test
    void allGatewaysOfAClusterMayDie() {
        FaultPlan deaths = plan(new Fault.Crash(300 * MILLI, GATEWAY), new Fault.Crash(300 * MILLI, GATEWAY + 20));
        assertThat(secondsOfSurvivors(deaths)).isLessThan(10);
    }

    @Test
    void aGatewayThatStallsForAWhileGoesOn() {
        FaultPlan stall = plan(new Fault.Stall(300 * MILLI, GATEWAY, 5_000 * MILLI));
        assertThat(seconds("robber", threeClusters(40, 40, 40), stall)).isLessThan(5 + 1.25 * 1.6);
    }

    private static double secondsOfSurvivors(FaultPlan deaths) {
        RunResult result = run("robber", threeClusters(40, 40, 40), deaths);
        assertThat(result.problem()).endsWith("died as planned; all others have everything");
        return result.nodes().stream().mapToLong(NodeRun::completeNanos).max().orElseThrow() / 1e9;
    }

    private static FaultPlan plan(Fault... faults) {
        return new FaultPlan(ImmutableList.copyOf(faults), 0, 200 * MILLI);
    }

    private static double seconds(String strategy, Scenario scenario, FaultPlan faults) {
        RunResult result = run(strategy, scenario, faults);
        assertThat(result.problem()).isEmpty();
        return result.nanos() / 1e9;
    }

    private static RunResult run(String strategy, Scenario scenario, FaultPlan faults) {
        return Simulation.run(
                scenario,
                SimulationOptions.of(Strategies.byName(strategy), 1, BYTES)
                        .withPieceBytes(1 << 16)
                        .withFaults(faults));
    }

    /** Lines of 10 MB/s between all clusters, so 1.6 s are the least that 16 MB can take. */
    private static Scenario threeClusters(int first, int second, int third) {
        return threeClusters(first, cluster("B", second), third);
    }

    private static Scenario threeClusters(int first, ClusterSpec second, int third) {
        double[][] rates = {{0, 5, 5}, {5, 0, 5}, {5, 5, 0}};
        return new Scenario(
                "few pieces",
                "clusters of many nodes",
                Origin.RECONSTRUCTION,
                new NodePlace(0, 0),
                ImmutableList.of(cluster("A", first), second, cluster("C", third)),
                ImmutableList.of(links(rates, 10 * MILLI)));
    }
}

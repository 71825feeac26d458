package org.robber.emulation.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRuns;
import org.robber.emulation.experiment.HandMade;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.Scenario;
import org.robber.emulation.scenario.ScenarioFamily;

class CollectiveBoundTest {
    private static final long BYTES = 100_000_000;

    /** Without access lines: the least width of all cuts, found by trying every set of clusters. */
    @Test
    void isTheWidestTimeOfAnyCut() {
        SeededRuns.run(100, random -> {
            Scenario scenario = ScenarioFamily.steady().draw(random.nextLong());
            for (Collective collective : EnumSet.range(Collective.MULTICAST, Collective.ALLGATHER)) {
                assertThat(CollectiveBound.of(scenario, collective, BYTES).seconds())
                        .as("%s of %s", collective, scenario)
                        .isCloseTo(slowestCut(scenario, collective), within(1e-6));
            }
        });
    }

    private static double slowestCut(Scenario scenario, Collective collective) {
        ClusterNetwork network = ClusterNetwork.of(scenario, scenario.phases().get(0));
        double[] shares = collective.sharesByCluster(scenario);
        double slowest = 0;
        for (int inside = 1; inside < 1 << network.size(); inside++) {
            double possessed = 0;
            double perSecond = 0;
            for (int cluster = 0; cluster < network.size(); cluster++) {
                possessed += (inside >> cluster & 1) * shares[cluster];
            }
            for (ClusterNetwork.Arc arc : network.arcs()) {
                perSecond += (inside >> arc.to() & 1) * (1 - (inside >> arc.from() & 1)) * arc.rate();
            }
            double missing = Math.max(0, 1 - possessed - 1e-9) * BYTES;
            slowest = Math.max(slowest, missing == 0 ? 0 : missing / perSecond);
        }
        return slowest;
    }

    @Test
    void aMulticastHasTheBoundOfMulticasts() {
        SeededRuns.run(50, random -> {
            Scenario scenario = ScenarioFamily.steady().draw(random.nextLong());
            assertThat(CollectiveBound.of(scenario, Collective.MULTICAST, BYTES).seconds())
                    .isCloseTo(TheoreticalBound.of(scenario).adaptSeconds(BYTES), within(1e-6));
        });
    }

    /** Bytes that no cluster can pass on for another leave a root over its own links. */
    @Test
    void aScatterTakesAsLongAsTheSlowestOfAllCuts() {
        Scenario scenario = HandMade.scenario("x", 3, 2);
        // Each of 4 other nodes gets a sixth of the data: 2 links of 10 MB/s for two thirds of 90 MB.
        CollectiveBound scatter = CollectiveBound.of(scenario, Collective.SCATTER, 90_000_000);
        assertThat(scatter).isEqualTo(new CollectiveBound(3, false));
        assertThat(CollectiveBound.of(scenario, Collective.GATHER, 90_000_000).seconds())
                .isEqualTo(3);
        // Each pair of clusters exchanges a ninth.
        assertThat(CollectiveBound.of(scenario, Collective.ALLTOALL, 90_000_000).seconds())
                .isEqualTo(1);
    }
}

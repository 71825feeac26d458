package org.robber.emulation.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.common.collect.ImmutableMap;
import org.junit.jupiter.api.Test;
import org.robber.emulation.experiment.Bound;
import org.robber.emulation.experiment.HandMade;
import org.robber.emulation.scenario.Collective;
import org.robber.emulation.scenario.Scenario;

class BoundSearchTest {

    @Test
    void findsTheBoundOfEachScenario() {
        Scenario two = HandMade.scenario("two", 2, 1);
        Scenario three = HandMade.scenario("three", 3, 1);

        ImmutableMap<Scenario, Bound> bounds = BoundSearch.bounds(
                ImmutableMap.of(two, Collective.MULTICAST, three, Collective.GATHER),
                HandMade.DATA_BYTES,
                ExperimentLimit.of(null));

        assertThat(bounds.keySet()).containsExactly(two, three);
        assertThat(bounds.get(two)).isEqualTo(new Bound(105, 105, true, 1));
        assertThat(bounds.get(three)).extracting(Bound::call).isEqualTo(Collective.GATHER);
    }

    /** It takes seconds to look at all sets of sixteen clusters. */
    @Test
    void theDeadlineDoesNotWaitForABound() {
        ImmutableMap<Scenario, Collective> calls =
                ImmutableMap.of(HandMade.scenario("large", 16, 1), Collective.ALLREDUCE);

        assertThatExceptionOfType(ExperimentException.class)
                .isThrownBy(
                        () -> BoundSearch.bounds(calls, HandMade.DATA_BYTES, new ExperimentLimit(System.nanoTime())))
                .withMessage("the deadline has passed while the bound of large was computed:"
                        + " give it more time, or fewer clusters or phases")
                .satisfies(e -> {
                    assertThat(e.reason()).isEqualTo(ExperimentException.Reason.DEADLINE);
                    assertThat(e.phase()).isEqualTo("bounds");
                });
    }
}

package org.robber.core.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.OverlayPlanner;
import org.robber.core.topology.Topology;

class SurvivorOverlayTest {
    private static final Topology TOPOLOGY = Topology.of(List.of("A", "A", "A", "A", "B", "B", "B", "B"));
    private static final Overlay PLANNED = OverlayPlanner.plan(TOPOLOGY, 5, 1);

    @Test
    void beforeALossThePlanHolds() {
        assertThat(new SurvivorOverlay(TOPOLOGY, PLANNED).current()).isSameAs(PLANNED);
    }

    @Test
    void theOrderOfLossesDoesNotMatter() {
        SurvivorOverlay one = new SurvivorOverlay(TOPOLOGY, PLANNED);
        SurvivorOverlay other = new SurvivorOverlay(TOPOLOGY, PLANNED);
        assertThat(one.lose(1)).isTrue();
        assertThat(one.current().peers(0)).doesNotContain(1);
        assertThat(one.lose(6)).isTrue();
        other.lose(6);
        other.lose(1);

        for (int rank = 0; rank < TOPOLOGY.size(); rank++) {
            assertThat(one.current().peers(rank)).isEqualTo(other.current().peers(rank));
        }
        assertThat(one.lost()).containsExactly(1, 6);
        assertThat(one.lose(1)).as("known").isFalse();
    }

    @Test
    void survivorsKeepAWayToEachOther() {
        SurvivorOverlay overlay = new SurvivorOverlay(TOPOLOGY, PLANNED);
        overlay.lose(0);
        overlay.lose(4);
        TreeSet<Integer> reached = new TreeSet<>(List.of(1));
        for (boolean grows = true; grows; ) {
            grows = false;
            for (int rank : List.copyOf(reached)) {
                for (int peer : overlay.current().peers(rank)) {
                    grows |= reached.add(peer);
                }
            }
        }
        assertThat(reached).containsExactly(1, 2, 3, 5, 6, 7);
    }

    @Test
    void oneOfTwoPeersMakesTheConnection() {
        assertThat(SurvivorOverlay.dials(3, 2)).isTrue();
        assertThat(SurvivorOverlay.dials(2, 3)).isFalse();
    }
}

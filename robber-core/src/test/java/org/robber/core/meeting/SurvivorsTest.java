package org.robber.core.meeting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class SurvivorsTest {
    private final Group world = Group.world(4);
    private final Survivors here = new Survivors(world, 0);
    private final Survivors there = new Survivors(world, 0);

    /** A run of {@code CollectiveKillsTest} hung: the next node was lost while the meeting of its group ended at some, and not at others. */
    @Test
    void thoseWhoseShrinkEndedMeetThoseWhoseShrinkFailed() {
        Group endedHere = here.without(Set.of(3));
        Group failedThere = there.without(Set.of(3));
        assertThat(endedHere).isEqualTo(failedThere);

        // Here the new group is shrunk; there the same shrink tries again.
        Group nextHere = here.without(Set.of(3, 1));
        Group nextThere = there.without(Set.of(3, 1));

        assertThat(nextHere).isEqualTo(nextThere);
        assertThat(nextHere.ranks()).containsExactly(0, 2);
        assertThat(nextHere.dependsOn(1)).isFalse();
    }

    @Test
    void aGroupThatIsShrunkWithoutALossMakesAnother() {
        Group first = here.without(Set.of());

        assertThat(here.without(Set.of())).isNotEqualTo(first);
        assertThat(first.id()).isNotEqualTo(world.id());
    }

    @Test
    void eachShrinkOfAGroupMakesOthers() {
        assertThat(new Survivors(world, 1).without(Set.of(3))).isNotEqualTo(here.without(Set.of(3)));
    }
}

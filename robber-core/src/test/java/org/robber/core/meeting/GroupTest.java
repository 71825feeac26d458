package org.robber.core.meeting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GroupTest {

    @Test
    void numbersFollowTheGivenOrder() {
        Group group = new Group(7, List.of(4, 0, 9));

        assertThat(group.size()).isEqualTo(3);
        assertThat(group.rank(2)).isEqualTo(9);
        assertThat(group.number(0)).isEqualTo(1);
        assertThat(group.number(1)).isNegative();
    }

    @Test
    void inTheWorldNumbersAreRanks() {
        Group world = Group.world(3);

        assertThat(world.id()).isZero();
        assertThat(world.ranks()).containsExactly(0, 1, 2);
    }

    @Test
    void ranksAreDistinct() {
        assertThatThrownBy(() -> new Group(1, List.of(2, 2))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Group(1, List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void childrenHaveIdsOfTheirOwn() {
        Group world = Group.world(4);
        List<Integer> some = List.of(3, 1);
        Set<Long> ids = new HashSet<>(Set.of(world.id()));
        for (long call = 0; call < 20; call++) {
            for (long colour = -10; colour < 10; colour++) {
                assertThat(ids.add(Group.child(world, call, colour, some).id())).isTrue();
            }
        }
        Group child = Group.child(world, 0, 0, some);

        assertThat(child).isEqualTo(Group.child(Group.world(4), 0, 0, List.of(3, 1)));
        assertThat(Group.child(child, 0, 0, some)).isNotEqualTo(child);
        assertThat(Group.child(world, 0, 0, List.of(1, 3)).id()).isNotEqualTo(child.id());
    }

    @Test
    void groupsDependOnThoseThatTheyWereMadeFrom() {
        Group world = Group.world(4);
        Group pair = Group.child(world, 0, 0, List.of(0, 1));
        assertThat(pair.dependsOn(3)).isTrue();
        Group survivors = Group.ofSurvivors(world, 0, 0, List.of(0, 1, 2));
        assertThat(survivors.dependsOn(2)).isTrue();
        assertThat(survivors.dependsOn(3)).isFalse();
        assertThat(Group.child(survivors, 0, 0, List.of(1)).dependsOn(3)).isFalse();
        assertThat(survivors.id())
                .isNotEqualTo(Group.ofSurvivors(world, 1, 0, List.of(0, 1, 2)).id());
        assertThat(survivors.id())
                .isNotEqualTo(Group.child(world, 0, 0, List.of(0, 1, 2)).id());
    }
}

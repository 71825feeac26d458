package org.robber.core.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.robber.core.driver.JoinerPeers.Choice;
import org.robber.core.random.SeededRandom;
import org.robber.core.topology.Topology;

class JoinerPeersTest {
    private static final int MATES = 8;
    private static final int MEMBERS = 11;

    /** Of cluster A, as the first eight members are. */
    private static final int JOINER = 11;

    private static final Topology TOPOLOGY = Topology.of(
            Stream.of(Collections.nCopies(MATES, "A"), Collections.nCopies(3, "B"), Collections.nCopies(1, "A"))
                    .flatMap(List::stream)
                    .toList());

    @Test
    void fiveMatesAreDrawnAnewForEachJoiner() {
        Set<Set<Integer>> drawn = new java.util.HashSet<>();
        for (int seed = 0; seed < 50; seed++) {
            Choice choice = choose(Set.of(), Set.of(), seed);
            assertThat(choice.connectTo())
                    .hasSize(JoinerPeers.MOST_PEERS)
                    .doesNotHaveDuplicates()
                    .allMatch(rank -> rank < MATES);
            assertThat(choice.isAnyLeft()).isTrue();
            assertThat(choice.inOwnCluster()).isTrue();
            drawn.add(new TreeSet<>(choice.connectTo()));
        }
        assertThat(drawn).hasSizeGreaterThan(20);
        assertThat(choose(Set.of(), Set.of(), 3)).isEqualTo(choose(Set.of(), Set.of(), 3));
    }

    @Test
    void whatThereIsCounts() {
        assertThat(choose(Set.of(), Set.of(0, 1, 2), 1).connectTo())
                .hasSize(2)
                .allMatch(rank -> rank >= 3 && rank < MATES);
        assertThat(choose(Set.of(), Set.of(0, 1, 2, 3, 4, 5), 1).connectTo()).isEmpty();
        assertThat(choose(Set.of(0, 1, 2, 3, 4, 5), Set.of(), 1).connectTo()).containsExactlyInAnyOrder(6, 7);
    }

    @Test
    void otherClustersAreAskedOnlyWhenNoMateIsLeft() {
        Choice choice = choose(Set.of(0, 1, 2, 3, 4, 5, 6, 7), Set.of(9), 1);

        assertThat(choice.connectTo()).containsExactlyInAnyOrder(8, 10);
        assertThat(choice.inOwnCluster()).isFalse();
        assertThat(choice.isAnyLeft()).isTrue();
    }

    @Test
    void nobodyMayBeLeft() {
        Choice choice = choose(Set.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), Set.of(), 1);

        assertThat(choice.connectTo()).isEmpty();
        assertThat(choice.isAnyLeft()).isFalse();
    }

    private static Choice choose(Set<Integer> gone, Set<Integer> busy, int seed) {
        return JoinerPeers.choose(TOPOLOGY, MEMBERS, JOINER, gone::contains, busy::contains, new SeededRandom(seed));
    }
}

package org.robber.core.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RankShareTest {

    @ParameterizedTest(name = "{0} of {1} in a cluster of {2}")
    @CsvSource({
        "0, 4, 4, 0, 1",
        "3, 4, 4, 3, 4",
        "0, 2, 4, 0, 2",
        "1, 2, 4, 2, 4",
        "1, 4, 2, 0, 1",
        "1, 3, 4, 1, 3",
        "0, 1, 7, 0, 7",
        "6, 7, 1, 0, 1",
        // In floating point, these reach one index beyond the other cluster.
        "6, 7, 29, 24, 29",
        "10, 11, 25, 22, 25",
        "18, 19, 21, 19, 21",
        "24, 25, 7, 6, 7",
    })
    void isTheStretchThatOverlaps(int index, int members, int otherMembers, int from, int to) {
        assertThat(RankShare.of(index, members, otherMembers)).isEqualTo(new RankShare(from, to));
    }

    @Test
    void isSymmetricAndCoversTheOtherCluster() {
        for (int members = 1; members <= 40; members++) {
            for (int otherMembers = 1; otherMembers <= 40; otherMembers++) {
                assertSymmetricAndCovering(members, otherMembers);
            }
        }
    }

    @Test
    void theLargestSizesDoNotOverflow() {
        int nodes = Topology.MAX_NODES;
        assertThat(RankShare.of(nodes - 1, nodes, nodes)).isEqualTo(new RankShare(nodes - 1, nodes));
    }

    private static void assertSymmetricAndCovering(int members, int otherMembers) {
        boolean[] covered = new boolean[otherMembers];
        for (int index = 0; index < members; index++) {
            RankShare share = RankShare.of(index, members, otherMembers);
            assertThat(share.from()).isBetween(0, otherMembers - 1);
            assertThat(share.to()).isBetween(share.from() + 1, otherMembers);
            for (int other = 0; other < otherMembers; other++) {
                RankShare back = RankShare.of(other, otherMembers, members);
                boolean there = other >= share.from() && other < share.to();
                boolean backHere = index >= back.from() && index < back.to();
                assertThat(there)
                        .as("%s of %s and %s of %s", index, members, other, otherMembers)
                        .isEqualTo(backHere);
                covered[other] |= there;
            }
        }
        assertThat(covered).containsOnly(true);
    }
}

package org.robber.core.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRuns;

class SortedRanksTest {

    @Test
    void findsWhatASearchFinds() {
        SeededRuns.run(300, random -> {
            // Some runs of neighbours and some far apart, as peers are.
            int density = random.nextInt(11);
            int first = random.nextInt(1_000);
            int[] ranks = IntStream.range(first, first + 60)
                    .filter(rank -> random.nextInt(10) < density)
                    .toArray();
            SortedRanks tried = SortedRanks.of(ranks);
            assertThat(tried.size()).isEqualTo(ranks.length);
            for (int rank = first - 2; rank < first + 62; rank++) {
                assertThat(tried.indexOf(rank)).isEqualTo(Arrays.binarySearch(ranks, rank));
            }
        });
    }

    @Test
    void clusterMatesNeedNoSearch() {
        // Node 502 of a cluster that begins with 500, and its peers in other clusters.
        SortedRanks ranks = SortedRanks.of(2, 102, 500, 501, 503, 504, 702, 902);
        assertThat(ranks.guessIndex(500)).isEqualTo(2);
        assertThat(ranks.guessIndex(501)).isEqualTo(3);
        assertThat(ranks.guessIndex(503)).isEqualTo(4);
        assertThat(ranks.guessIndex(504)).isEqualTo(5);
        assertThat(ranks.guessIndex(502)).isNegative();
        assertThat(ranks.guessIndex(702)).isNegative();
        assertThat(ranks.indexOf(702)).isEqualTo(6);
    }

    @Test
    void takesOneMore() {
        SortedRanks ranks =
                SortedRanks.of().with(3).with(7).with(2).with(5).with(0).with(9);
        int[] expected = {0, 2, 3, 5, 7, 9};
        assertThat(ranks.size()).isEqualTo(expected.length);
        for (int place = 0; place < expected.length; place++) {
            assertThat(ranks.indexOf(expected[place])).isEqualTo(place);
        }
    }

    @Test
    void refusesWhatDoesNotAscendAndWhatIsThereTwice() {
        assertThatThrownBy(() -> SortedRanks.of(1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rank 1 is followed by 1");
        SortedRanks ranks = SortedRanks.of(4, 8);
        assertThatThrownBy(() -> ranks.with(8))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rank 8 twice");
    }
}

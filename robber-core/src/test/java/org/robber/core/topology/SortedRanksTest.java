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
            int density = 1 + random.nextInt(10);
            int[] ranks = IntStream.range(0, 60)
                    .filter(rank -> random.nextInt(10) < density)
                    .toArray();
            SortedRanks tried = SortedRanks.of(ranks);
            assertThat(tried.size()).isEqualTo(ranks.length);
            for (int rank = 0; rank < 62; rank++) {
                assertThat(tried.placeOf(rank)).isEqualTo(Arrays.binarySearch(ranks, rank));
            }
        });
    }

    @Test
    void takesOneMore() {
        SortedRanks ranks = SortedRanks.of(2, 3, 7).with(5).with(0).with(9);
        assertThat(ranks.size()).isEqualTo(6);
        int[] expected = {0, 2, 3, 5, 7, 9};
        for (int place = 0; place < expected.length; place++) {
            assertThat(ranks.at(place)).isEqualTo(expected[place]);
            assertThat(ranks.placeOf(expected[place])).isEqualTo(place);
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

package org.robber;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TransferStatsTest {

    @Test
    void twoMulticastsAddUpAlsoWhereOneSawFewerClusters() {
        TransferStats first = new TransferStats(1, 2, List.of(3L, 4L), List.of(), 5, 10, 6, 7, 8, 9);
        TransferStats second = new TransferStats(10, 20, List.of(30L), List.of(40L), 50, 100, 60, 70, 80, 90);

        assertThat(first.plus(second))
                .isEqualTo(new TransferStats(11, 22, List.of(33L, 4L), List.of(40L), 55, 110, 66, 77, 88, 99));
        assertThat(first.plus(second)).isEqualTo(second.plus(first));
        assertThat(first.withNanos(1000).nanos()).isEqualTo(1000);
    }
}

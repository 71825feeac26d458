package org.robber.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.robber.cli.report.TransferHistory.Link;
import org.robber.cli.report.TransferHistory.Sample;

class TransferHistoryTest {

    private final TransferHistory history = new TransferHistory(List.of(0, 0, 1, 1), 2, List.of(0));

    @Test
    void nodesAndLinksAreCounted() {
        history.add(0, rank -> Map.of());
        history.add(1, rank -> rank == 0 ? Map.of() : Map.of(0, 10L * rank, 1, 1L));

        Sample last = history.samples().get(1);
        assertThat(last.nodes()).containsOnly(Map.entry(1, 11L), Map.entry(2, 21L), Map.entry(3, 31L));
        assertThat(last.links())
                .containsOnly(
                        Map.entry(new Link(0, 0), 10L),
                        Map.entry(new Link(1, 0), 1L),
                        Map.entry(new Link(0, 1), 50L),
                        Map.entry(new Link(1, 1), 2L));
        assertThat(history.receivers(0)).isEqualTo(1);
        assertThat(history.receivers(1)).isEqualTo(2);
    }

    @Test
    void theRootIsNoReceiverWhateverItsRank() {
        TransferHistory other = new TransferHistory(List.of(0, 0, 1, 1), 2, List.of(2));
        assertThat(other.shownNodes(0)).containsExactly(0, 1);
        assertThat(other.shownNodes(1)).containsExactly(3);
        TransferHistory striped = new TransferHistory(List.of(0, 0), 1, List.of());
        assertThat(striped.receivers(0)).as("each has a part").isEqualTo(2);
    }

    /** However long it takes, what is kept covers all of it, evenly. */
    @Test
    void longTransfersAreThinnedOut() {
        for (int i = 0; i <= 100_000; i++) {
            long bytes = i;
            history.add(i / 4.0, rank -> Map.of(0, bytes));
        }
        history.end(25_000.5, rank -> Map.of(0, 100_001L));

        List<Sample> samples = history.samples();
        assertThat(samples).hasSizeBetween(90, 202);
        assertThat(samples.get(0).seconds()).isZero();
        assertThat(samples.get(samples.size() - 1).seconds()).isEqualTo(25_000.5);
        double step = samples.get(1).seconds();
        for (int i = 1; i < samples.size() - 1; i++) {
            assertThat(samples.get(i).seconds() - samples.get(i - 1).seconds()).isBetween(step * 0.99, step * 1.01);
        }
    }

    @Test
    void theEndReplacesWhatWasHeardAfterIt() {
        history.add(0, rank -> Map.of());
        history.add(1, rank -> Map.of(0, 5L));
        history.add(2, rank -> Map.of(0, 6L));
        history.end(1.5, rank -> Map.of(0, 7L));

        assertThat(history.samples()).extracting(Sample::seconds).containsExactly(0.0, 1.0, 1.5);
    }

    @Test
    void aLostNodeTakesNothingBack() {
        history.add(0, rank -> Map.of());
        history.add(1, rank -> Map.of(0, 5L));
        history.end(2, rank -> rank == 3 ? Map.of() : Map.of(0, 9L));

        assertThat(history.samples().get(2).nodes()).containsEntry(3, 5L).containsEntry(2, 9L);
    }

    @Test
    void ofManyNodesSomeAreShown() {
        TransferHistory large = new TransferHistory(Collections.nCopies(1000, 0), 1, List.of(0));

        assertThat(large.shownNodes(0)).hasSize(24).isSorted().doesNotHaveDuplicates();
        assertThat(large.shownNodes(0))
                .isSubsetOf(IntStream.range(1, 1000).boxed().toList());
    }
}

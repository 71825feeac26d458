package org.robber.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.robber.emulation.report.chart.Markup;

class TransferChartsTest {

    private final TransferHistory history = new TransferHistory(List.of(0, 1, 1), 2, List.of(0));

    @Test
    void aConstantRateIsALevelLineAlsoWhereSamplesAreNotEven() {
        for (double seconds : new double[] {0, 0.3, 0.35, 1, 2.5, 2.6, 4}) {
            history.add(seconds, rank -> rank == 0 ? Map.of() : Map.of(0, (long) (seconds * 5e6)));
        }
        history.end(5, rank -> rank == 0 ? Map.of() : Map.of(0, 25_000_000L));
        String text = write();

        assertThat(text)
                .contains("Cluster B, 2 receivers, MB/s", "A \u2192 B, MB/s")
                .doesNotContain("Cluster A");
        // two thin lines, their mean, and the link
        List<String> heights = Pattern.compile("d=\"M[0-9.]+ ([0-9.]+)(?:L[0-9.]+ \\1){60}\"")
                .matcher(text)
                .results()
                .map(path -> path.group(1))
                .toList();
        assertThat(heights).as(text).hasSize(4);
    }

    @Test
    void nothingIsDrawnOfNothing() {
        assertThat(write()).isEmpty();
        history.add(0, rank -> Map.of());
        history.end(1, rank -> Map.of());
        assertThat(write()).isEmpty();
    }

    private String write() {
        Markup out = new Markup();
        new TransferCharts(history, List.of("A", "B")).write(out);
        return out.toString();
    }
}

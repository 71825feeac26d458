package org.robber.bench.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CaseResultTest {
    private static final int GIGA = 1_000_000_000;

    @Test
    void addsUpWhatTheProcessesOfARunReport() {
        RunFigures figures = RunFigures.of(
                new LoopbackCase(2, GIGA),
                /* deliveredPieces= */ 2000,
                5L * GIGA,
                2,
                new NodeReport(10L * GIGA, 10L * GIGA, 10L * GIGA, GIGA, 2L * GIGA, 0, 0, 3_000_000, 5000, 100),
                List.of(
                        new NodeReport(
                                9L * GIGA,
                                10L * GIGA,
                                12L * GIGA,
                                GIGA,
                                3L * GIGA,
                                GIGA,
                                GIGA / 2,
                                1_000_000,
                                2000,
                                50),
                        new NodeReport(
                                11L * GIGA, 11L * GIGA, 14L * GIGA, GIGA, 4L * GIGA, GIGA, GIGA / 2, 0, 1000, 70)));
        assertThat(figures).isEqualTo(new RunFigures(4.0, 1.0, 9.0, 0.5, 1.5, 4.5, 0.002, 4.0, 1.0, 100, 70));
    }

    @Test
    void comparesRunsThatFollowedEachOther() {
        // The machine was half as fast in the second turn and four times as slow in the third: no ratio changes.
        CaseResult result = new CaseResult(
                new LoopbackCase(1, GIGA),
                Map.of(
                        Contender.PLAIN_FILE, List.of(seconds(1), seconds(2), seconds(4)),
                        Contender.ROBBER_FILE, List.of(seconds(1.1), seconds(2.2), seconds(4.4))),
                Map.of());
        assertThat(result.median(Contender.PLAIN_FILE, RunFigures::seconds)).isEqualTo(2);
        assertThat(Ratio.of(result)).singleElement().satisfies(ratio -> {
            assertThat(ratio.contender()).isEqualTo(Contender.ROBBER_FILE);
            assertThat(ratio.yardstick()).isEqualTo(Contender.PLAIN_FILE);
            assertThat(ratio.time()).isCloseTo(1.1, within(1e-9));
        });
    }

    @Test
    void saysWhichGoalsAreMet() {
        CaseResult result = new CaseResult(
                new LoopbackCase(1, GIGA),
                Map.of(
                        Contender.PLAIN_FILE, List.of(seconds(1)),
                        Contender.ROBBER_FILE, List.of(seconds(1.2))),
                Map.of());
        assertThat(Goal.of(result))
                .extracting(goal -> goal.what() + " " + goal.met())
                .containsExactly(
                        "robber-file / plain-file: time false",
                        "robber-file / plain-file: CPU true",
                        "robber-file: control bytes / data bytes true");
    }

    @Test
    void asksForARateOfManyProcessesOnly() {
        Map<Contender, List<RunFigures>> runs = Map.of(Contender.ROBBER_FILE, List.of(seconds(2)));
        assertThat(Goal.of(new CaseResult(new LoopbackCase(4, GIGA), runs, Map.of())))
                .extracting(Goal::what)
                .containsExactly("robber-file: control bytes / data bytes");
        assertThat(Goal.of(new CaseResult(new LoopbackCase(7, GIGA), runs, Map.of())))
                .extracting(goal -> goal.what() + " " + goal.met())
                .containsExactly("robber-file: control bytes / data bytes true", "robber-file: GB/s false");
    }

    /** A run of one gigabyte that took so long, and as much CPU. */
    private static RunFigures seconds(double seconds) {
        return new RunFigures(seconds, 0, seconds, 1 / seconds, seconds, seconds, 0.001, 2, 1, 1, 1);
    }
}

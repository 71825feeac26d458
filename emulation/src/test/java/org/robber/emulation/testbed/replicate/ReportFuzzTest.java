package org.robber.emulation.testbed.replicate;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import org.robber.emulation.experiment.HandMade;
import org.robber.emulation.scenario.Scenario;

/**
 * Fuzz target for reports of {@code robber-cli replicate} as the testbed reads them. An ordinary build replays the inputs kept
 * among the test resources; with {@code JAZZER_FUZZ=1} in the environment, Jazzer looks for new ones.
 */
class ReportFuzzTest {

    private static final Scenario SCENARIO = HandMade.scenario("two", 2, 1);

    @FuzzTest(maxDuration = "1m")
    void parse(byte[] bytes) {
        Report report;
        try {
            report = Report.parse(new String(bytes, StandardCharsets.UTF_8), SCENARIO);
        } catch (IllegalArgumentException refused) {
            assertThat(refused).hasMessageStartingWith("not a report: ");
            return;
        }
        assertThat(report.nodes().size() + report.stolen().size()).isLessThan(bytes.length);
    }
}

package org.robber.emulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/**
 * Fuzz target for scenario files. An ordinary build replays the inputs kept among the test resources; with {@code
 * JAZZER_FUZZ=1} in the environment, Jazzer looks for new ones.
 */
class ScenarioFuzzTest {

    @FuzzTest(maxDuration = "1m")
    void parse(byte[] bytes) {
        Scenario scenario;
        try {
            scenario = ScenarioReader.parse("fuzz.json", new String(bytes, StandardCharsets.UTF_8));
        } catch (ScenarioException refused) {
            assertThat(refused).hasMessageStartingWith("fuzz.json: ");
            return;
        }
        assertThat(ScenarioReader.parse("again.json", ScenarioWriter.text(scenario)))
                .isEqualTo(scenario);
    }
}

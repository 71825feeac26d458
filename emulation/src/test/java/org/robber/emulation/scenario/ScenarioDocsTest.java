package org.robber.emulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.common.base.Splitter;
import com.google.common.collect.Iterables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What {@code docs/reference/scenarios.md} shows is what users get. */
class ScenarioDocsTest {

    private static final String FILE = "two_sites.json";

    /** What the page shows as dots. */
    private static final String LEFT_OUT = ": phases are in order of time, and the state at the start is in $.links";

    @Test
    void theExampleIsAScenario() throws IOException {
        Scenario scenario = ScenarioReader.parse(FILE, example());
        assertThat(scenario.phases()).hasSize(2);
        assertThat(ScenarioSchema.problems(example())).isEmpty();
    }

    @Test
    void theMessagesAreThoseOfTheReader() throws IOException {
        assertShown(example().replace(": 12.5, \"node_down\"", ": [1, 1, 1, -3, 1, 1, 1, 1], \"node_down\""));
        assertShown(example().replace("\"B-A\"", "\"A-C\""));
        assertShown(example().replace("6}}}]", "6}}}, {\"at\": 20, \"links\": {}}]"));
    }

    private static void assertShown(String json) throws IOException {
        String page = page();
        assertThatExceptionOfType(ScenarioException.class)
                .isThrownBy(() -> ScenarioReader.parse(FILE, json))
                .satisfies(fault -> {
                    for (String part : Splitter.on(LEFT_OUT).split(fault.getMessage())) {
                        assertThat(page).contains(part);
                    }
                });
    }

    private static String example() throws IOException {
        String fromBlock = Iterables.get(Splitter.on("```json\n").split(page()), 1);
        return Iterables.get(Splitter.on("```").split(fromBlock), 0);
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("..", "docs", "reference", "scenarios.md"));
    }
}

package org.robber.emulation.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScenarioFilesTest {

    private static final Path SCENARIO = Path.of("").toAbsolutePath().resolve("scenarios/tc1_fast_links.json");

    @TempDir
    Path folder;

    @Test
    void missingAndFaultyScenariosAreNamed() throws IOException {
        Path faulty = Files.writeString(
                folder.resolve("faulty.json"),
                Files.readString(SCENARIO).replace("\"A-C\": {\"mbps\": 3", "\"A-C\": {\"mbps\": -3"));

        refuses(ExperimentException.Reason.SOURCE, "none.json: there is no such file", folder.resolve("none.json"));
        refuses(ExperimentException.Reason.SOURCE, "is not a file", folder);
        refuses(ExperimentException.Reason.USAGE, "faulty.json: $.links[\"A-C\"].mbps: expected", faulty);
        refuses(ExperimentException.Reason.USAGE, "give one of them another name", SCENARIO, SCENARIO);
    }

    private static void refuses(ExperimentException.Reason reason, String message, Path... files) {
        assertThatThrownBy(() -> ScenarioFiles.read(List.of(files), 0))
                .isInstanceOfSatisfying(
                        ExperimentException.class,
                        failure -> assertThat(failure.reason()).isEqualTo(reason))
                .hasMessageContaining(message);
    }
}

package org.robber.emulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.robber.core.random.SeededRuns;

/** The schema accepts what the reader accepts, and refuses every fault that a schema can express. */
class ScenarioSchemaTest {

    @Test
    void acceptsEveryFileOfTheProject() throws IOException {
        for (Path file : ScenarioFiles.all()) {
            assertThat(ScenarioSchema.problems(Files.readString(file)))
                    .as("%s", file)
                    .isEmpty();
        }
        assertThat(ScenarioSchema.problems(Faults.GOOD)).isEmpty();
    }

    @Test
    void acceptsWhatTheWriterWrites() {
        SeededRuns.run(50, random -> {
            Scenario scenario = ScenarioFamily.mixed().draw(random.nextLong());
            assertThat(ScenarioSchema.problems(ScenarioWriter.text(scenario))).isEmpty();
        });
    }

    @Test
    void refusesTheFaultsItCanExpress() {
        int refused = 0;
        for (Faults.Fault fault : Faults.ALL) {
            if (fault.schemaRefuses()) {
                assertThat(ScenarioSchema.problems(fault.json()))
                        .as("%s", fault)
                        .isNotEmpty();
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(30);
    }
}

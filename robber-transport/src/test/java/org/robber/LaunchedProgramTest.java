package org.robber;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Programs join the job of their environment, with settings of their own. */
class LaunchedProgramTest {

    @Test
    void settingsOfTheProgramAddToThoseOfTheEnvironment() {
        Map<String, String> variables = Map.of("ROBBER_RANK", "0", "ROBBER_SIZE", "1", "ROBBER_CLUSTER", "A");

        try (Robber robber = Robber.fromEnvironment(variables, job -> job.withCluster(job.cluster() + "-settled"))) {
            assertThat(robber.world().size()).isOne();
            assertThat(robber.world().clusters()).containsExactly("A-settled");
        }
    }
}

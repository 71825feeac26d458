package org.robber.emulation.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NodeEnvironmentTest {

    @Test
    void tellsANodeItsPlace() {
        assertThat(NodeEnvironment.of(5, 16, "B", "10.1.0.1", "10.2.0.1"))
                .containsEntry("ROBBER_RANK", "5")
                .containsEntry("ROBBER_SIZE", "16")
                .containsEntry("ROBBER_CLUSTER", "B")
                .containsEntry("ROBBER_URI", "robber://testbed@10.1.0.1:7000")
                .containsEntry("ROBBER_ROOT_ADDRESS", "10.2.0.1")
                .containsEntry("RANK", "5")
                .containsEntry("WORLD_SIZE", "16")
                .containsEntry("MASTER_ADDR", "10.1.0.1");
    }

    @Test
    void anotherJobsVariablesAreKeptAway() {
        assertThat(NodeEnvironment.belongsToAnotherJob("ROBBER_SECRET")).isTrue();
        assertThat(NodeEnvironment.belongsToAnotherJob("OMPI_COMM_WORLD_RANK")).isTrue();
        assertThat(NodeEnvironment.belongsToAnotherJob("PATH")).isFalse();
        assertThat(NodeEnvironment.belongsToAnotherJob("JAVA_HOME")).isFalse();
    }
}

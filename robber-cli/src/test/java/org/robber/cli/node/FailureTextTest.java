package org.robber.cli.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.robber.Communicator;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.FakeWorld;

class FailureTextTest {

    @Test
    void failuresNameTheNodeOnce() {
        Communicator world = FakeWorld.of(1, 2);
        RobberException failure = FailureText.here(
                world, "prepare", new RobberException(Reason.DESTINATION, List.of(), "x", "no space\nleft"));

        assertThat(failure).hasMessage("node A-0 (rank 0, host host0) failed during 'prepare': no space left");
        assertThat(FailureText.here(world, "commit", failure)).isSameAs(failure);
        assertThat(FailureText.nodes(world, List.of(1))).isEqualTo("node A-1 (rank 1, host host1)");
    }
}

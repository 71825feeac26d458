package org.robber.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProcessTreeTest {

    /** Its number may be that of another process, whose children are not ours to end. */
    @Test
    void aProcessThatHasEndedIsLeftAlone() throws Exception {
        Process ended = new ProcessBuilder("sh", "-c", "echo bye").start();
        assertThat(ended.waitFor()).isZero();

        ProcessTree.kill(ended);

        assertThat(ended.getInputStream().readAllBytes()).isEqualTo("bye\n".getBytes(StandardCharsets.UTF_8));
    }
}

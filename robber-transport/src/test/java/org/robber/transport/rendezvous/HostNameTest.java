package org.robber.transport.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostNameTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    @Test
    void theKernelsNameNeedsNoLookUp() throws Exception {
        Path kernel = Files.writeString(folder.resolve("hostname"), "node-7\n");

        assertThat(HostName.of(kernel, () -> "looked up", LONG)).isEqualTo("node-7");
    }

    @Test
    void otherwiseTheNameIsLookedUp() {
        assertThat(HostName.of(folder.resolve("none"), () -> "looked up", LONG)).isEqualTo("looked up");
    }

    @Test
    void aLookUpThatHangsIsNotWaitedFor() {
        CountDownLatch never = new CountDownLatch(1);
        String name = HostName.of(
                folder.resolve("none"),
                () -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return "too late";
                },
                Duration.ofMillis(50));
        never.countDown();

        assertThat(name).isEqualTo("(unnamed host)");
    }
}

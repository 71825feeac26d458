package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive of classes that the launcher of a checkout makes: on every version of Java there is one, and Java takes it. */
class ClassArchiveIT {

    @TempDir
    Path top;

    @Test
    void processesLoadTheirClassesFromIt() throws IOException, InterruptedException {
        // whoever comes first makes it, and one more run is needed if another test does that just now
        for (int run = 0; run < 2; run++) {
            try (Launched launched = Launched.start(top, Map.of(), "--version")) {
                assertThat(launched.exitCode()).as(launched.err()).isZero();
            }
        }
        Path archive = Path.of("target/classes-" + System.getProperty("java.version") + ".jsa")
                .toAbsolutePath();
        assertThat(archive).isNotEmptyFile();

        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:SharedArchiveFile=" + archive,
                "-Xlog:class+load",
                "-jar",
                Path.of("target/robber-cli.jar").toAbsolutePath().toString(),
                "--version");
        try (Launched launched = Launched.command(top, Map.of(), command)) {
            assertThat(launched.exitCode()).as(launched.err()).isZero();
            assertThat(launched.out())
                    .containsPattern("org\\.robber\\.cli\\.log\\.LogProvider source: shared objects file");
        }
    }
}

package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.RobberException.Reason;

/** A copy where the owner of new files gets no right to read them; the scripts of Robber set another umask. */
class UmaskTest {
    @TempDir
    Path top;

    @Test
    void aUmaskThatTakesRightsFromTheOwnerIsNamedAndNothingStays() throws IOException, InterruptedException {
        Path source = Files.writeString(top.resolve("source"), "data");
        Path destination = Files.createDirectory(top.resolve("destination"));
        Files.createDirectories(destination.resolve("A-0"));
        Files.createDirectories(destination.resolve("A-1"));
        List<String> command = List.of(
                "sh",
                "-c",
                "umask 0477; exec \"$0\" \"$@\"",
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "org.robber.cli.Main",
                "replicate",
                "--local=1x2",
                source.toString(),
                destination.toString());
        try (Launched launched = Launched.command(top, Map.of(), command)) {
            assertThat(launched.exitCode()).as(launched.err()).isEqualTo(Reason.DESTINATION.exitCode());
            assertThat(launched.err()).contains("mode 300", "umask 022");
        }
        assertThat(destination.resolve("A-0")).isEmptyDirectory();
        assertThat(destination.resolve("A-1")).isEmptyDirectory();
    }
}

package org.robber.bench.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.robber.bench.Program;

/** With a few members: the figures mean nothing, but it cannot rot. */
class ManyMembersTest {
    @TempDir
    Path folder;

    @Test
    void printsWhatEachStepCosts() throws IOException {
        ByteArrayOutputStream results = new ByteArrayOutputStream();
        Program.parse(
                        new ManyMembers(),
                        "--members=20",
                        "--tls=on",
                        "--report-seconds=1",
                        "--deaf-seconds=1",
                        "--directory=" + folder)
                .run(new PrintStream(results, true, StandardCharsets.UTF_8));

        assertThat(results.toString(StandardCharsets.UTF_8))
                .contains("20 members, TLS on")
                .containsPattern("join and roster +[0-9.]+ s +[0-9.]+ CPU s +[0-9]+ MiB")
                .containsPattern("broadcast, read by all +[0-9.]+ s");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void wrongOptionsAreNamed() {
        assertThatThrownBy(() -> Program.parse(new ManyMembers(), "--tls=maybe"))
                .hasMessageContaining("--tls")
                .hasMessageContaining("maybe");
    }
}

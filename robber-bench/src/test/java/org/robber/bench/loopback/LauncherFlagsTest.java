package org.robber.bench.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What is measured must be what users get. */
class LauncherFlagsTest {
    private static final Path LAUNCHER = Path.of("../robber-cli/src/dist/lib/launcher.sh");
    private static final Pattern FLAG = Pattern.compile("^(?:flags=\")?(-[-XD][^\n\"$]*)\"?$", Pattern.MULTILINE);

    @Test
    void areThoseOfTheLauncher() throws IOException {
        String script = Files.readString(LAUNCHER);
        String flags = script.substring(script.indexOf("\nflags=\"-"), script.indexOf("newline="));
        List<String> ofLauncher =
                FLAG.matcher(flags).results().map(result -> result.group(1)).toList();
        assertThat(LauncherFlags.of(23, "xxh3-128")).isEqualTo(ofLauncher);
        assertThat(LauncherFlags.of(17, "xxh3-128")).isEqualTo(ofLauncher.subList(0, ofLauncher.size() - 1));
    }

    @Test
    void includeTheOptimisingCompilerForSha256() throws IOException {
        assertThat(Files.readString(LAUNCHER)).contains("""
            if [ "$digest" = sha256 ]; then
              flags="$flags
            -XX:TieredStopAtLevel=4"
            fi
            """);
        assertThat(LauncherFlags.of(17, "sha256")).endsWith("-XX:TieredStopAtLevel=4");
        assertThat(LoopbackOptions.parse("--digest=sha256").jvmFlags()).contains("-XX:TieredStopAtLevel=4");
        assertThat(LoopbackOptions.parse().jvmFlags()).doesNotContain("-XX:TieredStopAtLevel=4");
    }
}

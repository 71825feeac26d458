package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which flags the launcher gives to Java: an installed copy of it runs a program that prints them instead of Java. */
class LauncherScriptTest {
    private static final String QUICK_COMPILER = "-XX:TieredStopAtLevel=1";
    private static final String BOTH_COMPILERS = "-XX:TieredStopAtLevel=4";

    @TempDir
    Path top;

    @BeforeEach
    void install() throws IOException {
        Path distribution = Path.of("src/dist").toAbsolutePath();
        for (String script : List.of("bin/robber-cli", "lib/launcher.sh")) {
            Path copy = top.resolve("home").resolve(script);
            Files.createDirectories(copy.getParent());
            Files.copy(distribution.resolve(script), copy);
        }
        Path java = Files.createDirectories(top.resolve("java/bin")).resolve("java");
        Files.writeString(
                java,
                "#!/bin/sh\nprintf '%s\\n' \"$@\"\nprintf '%s\\n' of-nodes \"$ROBBER_CLI_JAVA_FLAGS\" \"locale $LC_ALL\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(top.resolve("java/release"), "JAVA_VERSION=\"17.0.1\"\n");
    }

    private List<String> run(Map<String, String> variables, String... arguments)
            throws IOException, InterruptedException {
        Map<String, String> environment =
                new HashMap<>(Map.of("JAVA_HOME", top.resolve("java").toString()));
        environment.putAll(variables);
        List<String> command =
                new ArrayList<>(List.of(top.resolve("home/bin/robber-cli").toString()));
        command.addAll(List.of(arguments));
        try (Launched launched = Launched.command(top, environment, command)) {
            assertThat(launched.exitCode()).as(launched.err()).isZero();
            return launched.out().lines().toList();
        }
    }

    /** The flag that counts, which is the last, of this process and of the nodes that it starts. */
    private void assertCompiler(String expected, Map<String, String> variables, String... arguments)
            throws IOException, InterruptedException {
        List<String> lines = run(variables, arguments);
        int border = lines.indexOf("of-nodes");
        int jar = lines.indexOf("-jar");
        assertThat(lines.subList(0, jar)).contains(QUICK_COMPILER);
        assertThat(lastCompilerFlag(lines.subList(0, jar))).isEqualTo(expected);
        assertThat(lastCompilerFlag(lines.subList(border, lines.size()))).isEqualTo(expected);
        assertThat(lines.subList(jar + 2, border)).containsExactly(arguments);
    }

    private static String lastCompilerFlag(List<String> flags) {
        return flags.stream()
                .filter(flag -> flag.startsWith("-XX:TieredStopAtLevel="))
                .reduce("", (first, second) -> second);
    }

    /** Java would end with stack traces, if it began at all. */
    @ParameterizedTest
    @ValueSource(ints = {24, 32, 63})
    void tooFewOpenFilesAreNamed(int files) throws IOException, InterruptedException {
        String script = top.resolve("home/bin/robber-cli").toString();
        Map<String, String> environment =
                Map.of("JAVA_HOME", top.resolve("java").toString());
        List<String> command =
                List.of("sh", "-c", "ulimit -n " + files + "; exec \"$0\" \"$@\"", script, "replicate", "a", "b");
        try (Launched launched = Launched.command(top, environment, command)) {
            assertThat(launched.exitCode()).isEqualTo(2);
            assertThat(launched.err().lines())
                    .singleElement()
                    .asString()
                    .contains("error: a process may open " + files + " files", "needs 64", "raise ulimit -n");
        }
    }

    @Test
    void jobsGetTheQuickCompiler() throws IOException, InterruptedException {
        assertCompiler(QUICK_COMPILER, Map.of(), "replicate", "a", "b");
        assertCompiler(QUICK_COMPILER, Map.of(), "replicate", "--digest=xxh3-128", "a", "b");
        assertCompiler(QUICK_COMPILER, Map.of(), "replicate", "--", "--digest=sha256", "b");
        assertCompiler(QUICK_COMPILER, Map.of(), "replicate", "sha256", "b");
    }

    @Test
    void jobsWithSha256GetBothCompilers() throws IOException, InterruptedException {
        assertCompiler(BOTH_COMPILERS, Map.of(), "replicate", "--digest=sha256", "a", "b");
        assertCompiler(BOTH_COMPILERS, Map.of(), "replicate", "--local=2x2", "--digest", "sha256", "a", "b");
        assertCompiler(BOTH_COMPILERS, Map.of("ROBBER_DIGEST", "sha256"), "replicate", "a", "b");
        assertCompiler(BOTH_COMPILERS, Map.of("ROBBER_DIGEST", "sha256"), "verify", "b");
    }

    @Test
    void anOptionWinsOverTheVariable() throws IOException, InterruptedException {
        assertCompiler(QUICK_COMPILER, Map.of("ROBBER_DIGEST", "sha256"), "replicate", "--digest=xxh3-128", "a", "b");
        assertCompiler(
                QUICK_COMPILER, Map.of("ROBBER_DIGEST", "sha256"), "replicate", "--digest", "xxh3-128", "a", "b");
    }

    @Test
    void flagsOfTheUserWin() throws IOException, InterruptedException {
        assertCompiler(
                QUICK_COMPILER, Map.of("ROBBER_JAVA_FLAGS", QUICK_COMPILER), "replicate", "--digest=sha256", "a", "b");
    }

    @Test
    void aLocaleThatIsNotInstalledGivesWayToOneThatIs() throws IOException, InterruptedException {
        assertLocale("C.UTF-8", Map.of("LC_ALL", "", "LC_CTYPE", "", "LANG", "xx_XX.UTF-8"));
        assertLocale("C.UTF-8", Map.of("LC_ALL", "POSIX", "LC_CTYPE", "", "LANG", ""));
        assertLocale("", Map.of("LC_ALL", "", "LC_CTYPE", "", "LANG", "C.UTF-8"));
    }

    /** Else the next run could not go on with what this one leaves. */
    @ParameterizedTest
    @ValueSource(strings = {"0477", "0777"})
    void theOwnerMayReadWhatIsMade(String mask) throws IOException, InterruptedException {
        Files.writeString(top.resolve("java/bin/java"), "#!/bin/sh\numask -S\n");
        List<String> command = List.of(
                "sh",
                "-c",
                "umask " + mask + "; exec \"$0\"",
                top.resolve("home/bin/robber-cli").toString());
        Map<String, String> java = Map.of("JAVA_HOME", top.resolve("java").toString());
        try (Launched launched = Launched.command(top, java, command)) {
            assertThat(launched.exitCode()).as(launched.err()).isZero();
            assertThat(launched.out()).startsWith("u=rwx,g=");
        }
    }

    /** Else a copy of a stream from there would succeed, and be empty. */
    @Test
    void aClosedStandardInputIsNoEmptyOne() throws IOException, InterruptedException {
        Files.writeString(
                top.resolve("java/bin/java"), "#!/bin/sh\nif cat; then echo empty; else echo unreadable; fi\n");
        List<String> command = List.of(
                "sh",
                "-c",
                "exec \"$0\" <&-",
                top.resolve("home/bin/robber-cli").toString());
        Map<String, String> java = Map.of("JAVA_HOME", top.resolve("java").toString());
        try (Launched launched = Launched.command(top, java, command)) {
            assertThat(launched.exitCode()).as(launched.err()).isZero();
            assertThat(launched.out()).isEqualTo("unreadable\n");
        }
    }

    private void assertLocale(String expected, Map<String, String> variables) throws IOException, InterruptedException {
        assertThat(run(variables, "replicate", "a", "b")).contains("locale " + expected);
    }
}

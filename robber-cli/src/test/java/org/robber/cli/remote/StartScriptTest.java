package org.robber.cli.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script in a shell of this machine, with a program that prints what it gets. */
class StartScriptTest {

    @TempDir
    Path folder;

    private final Map<String, String> variables = new HashMap<>();
    /** The shell of this host does this first. */
    private String before = "";

    private CarriedProgram program;
    private Path java;

    @BeforeEach
    void makeProgram() throws IOException {
        Path jar = folder.resolve("program.jar");
        try (OutputStream out = new JarOutputStream(Files.newOutputStream(jar), new Manifest())) {
            out.flush();
        }
        program = CarriedProgram.of(jar, List.of());
        java = Files.writeString(folder.resolve("my java"), """
                #!/bin/sh
                if [ "$1" = -version ]; then echo 'openjdk version "25.0.1" 2025' >&2; exit; fi
                printf '%s|' "$@"; cat
                """);
        assertThat(java.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void theProgramIsTakenOnceAndTheRestOfTheInputIsForTheNode() throws Exception {
        String cached = folder + "/cache/robber/" + program.digest() + "/robber-cli.jar";
        String started = "\nrobber-ready 10.0.0.7 10.0.0.8\n-XX:+IgnoreUnrecognizedVMOptions|-Dname=it's|"
                + "--sun-misc-unsafe-memory-access=allow|-Djava.library.path="
                + Path.of(cached).resolveSibling("lib/native") + "|-jar|" + cached + "|local-node|the order\n";

        assertThat(run(program.archive(), "the order\n".getBytes(UTF_8))).isEqualTo("\nrobber-need\n" + started);
        assertThat(run("the order\n".getBytes(UTF_8))).isEqualTo(started);
        assertThat(Files.getPosixFilePermissions(Path.of(cached).getParent())).hasSize(3);
    }

    @Test
    void aLocaleThatIsNotInstalledGivesWayToOneThatIs() throws Exception {
        Files.writeString(java, Files.readString(java) + "echo \"locale $LC_ALL\"\n");
        variables.putAll(Map.of("LC_ALL", "", "LC_CTYPE", "", "LANG", "xx_XX.UTF-8"));
        assertThat(run(program.archive())).endsWith("locale C.UTF-8\n");
        variables.put("LANG", "C.UTF-8");
        assertThat(run()).endsWith("locale \n");
    }

    @Test
    void theOwnerMayReadWhatANodeMakes() throws Exception {
        Files.writeString(java, Files.readString(java) + "echo \"umask $(umask -S)\"\n");
        before = "umask 0477; ";
        assertThat(run(program.archive())).contains("umask u=rwx,g=");
    }

    @Test
    void jarsOfTheUserAreOnTheClassPath() throws Exception {
        program = CarriedProgram.of(folder.resolve("program.jar"), List.of(folder.resolve("program.jar")));
        String jar = jar("").toString();

        assertThat(run(program.archive()))
                .contains("|-cp|" + jar + ":" + Path.of(jar).resolveSibling("more")
                        + "/*|org.robber.cli.Main|local-node|");
    }

    @Test
    void aProgramThatWasDamagedIsTakenAnewAndItsFolderStays() throws Exception {
        run(program.archive());
        damage(jar(""));

        assertThat(run(program.archive()))
                .startsWith("\nrobber-need\n\nrobber-ready ")
                .contains(jar("-1") + "|");
        assertThat(jar("-1")).hasSameBinaryContentAs(folder.resolve("program.jar"));
        assertThat(jar("")).as("a node may run it").hasBinaryContent(new byte[] {1});
        assertThat(run()).startsWith("\nrobber-ready ").contains(jar("-1") + "|");
    }

    @Test
    void hostsOfOneHomeThatMendAtTheSameTimeUseOneFolder() throws Exception {
        run(program.archive());
        damage(jar(""));
        try (Shell slow = new Shell();
                Shell fast = new Shell()) {
            slow.awaitNeed();
            fast.awaitNeed();

            assertThat(fast.end(program.archive())).contains(jar("-1") + "|");
            Object inUse = fileKey(jar("-1"));
            assertThat(slow.end(program.archive())).contains(jar("-1") + "|");
            assertThat(fileKey(jar("-1"))).isEqualTo(inUse);
        }
        assertThat(folder.resolve("cache/robber")).isDirectoryNotContaining("glob:**/.*");
    }

    @Test
    void aCacheFullOfDamagedProgramsIsNamed() throws Exception {
        for (int i = 0; i < 10; i++) {
            run(program.archive());
            damage(jar(i == 0 ? "" : "-" + i));
        }
        assertThat(run(program.archive()))
                .startsWith("\nrobber-need\n\nrobber-failed cannot move the program to ")
                .contains("remove damaged programs from " + folder + "/cache/robber");
        assertThat(folder.resolve("cache/robber")).isDirectoryNotContaining("glob:**/.*");
    }

    @Test
    void aProgramThatArrivesDamagedIsNotKept() throws Exception {
        byte[] damaged = program.archive().clone();
        damaged[600] ^= 1;

        assertThat(run(damaged))
                .isEqualTo("\nrobber-need\n\nrobber-failed the program did not arrive as it was sent\n");
        assertThat(folder.resolve("cache/robber")).isEmptyDirectory();
    }

    @Test
    void aProgramThatIsCutOffIsNotKept() throws Exception {
        byte[] half = new byte[program.archive().length / 2];

        assertThat(run(half)).isEqualTo("\nrobber-need\n\nrobber-failed the program did not arrive as it was sent\n");
        assertThat(folder.resolve("cache/robber")).isEmptyDirectory();
    }

    /** As a connection that breaks: nobody hears why it fails. */
    @Test
    void aProgramThatIsCutOffIsNotKeptThoughNobodyListens() throws Exception {
        try (Shell shell = new Shell()) {
            shell.awaitNeed();
            shell.breakOff(new byte[program.archive().length / 2]);
        }
        assertThat(folder.resolve("cache/robber")).isEmptyDirectory();
    }

    @Test
    void aCacheThatCannotBeMadeIsNamed() throws Exception {
        Files.writeString(folder.resolve("cache"), "in the way");

        assertThat(run()).startsWith("\nrobber-failed mkdir: ").contains("cache", "set XDG_CACHE_HOME there");
    }

    private Path jar(String suffix) {
        return folder.resolve("cache/robber/" + program.digest() + suffix + "/robber-cli.jar");
    }

    private static void damage(Path jar) throws IOException {
        Files.write(jar, new byte[] {1});
    }

    private static Object fileKey(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    /** Runs the script with this input behind it, and returns what it prints. */
    private String run(byte[]... input) throws IOException, InterruptedException {
        try (Shell shell = new Shell()) {
            return shell.end(input);
        }
    }

    /** A shell that has got the script, and waits for more. */
    private final class Shell implements AutoCloseable {
        private final Process process;
        private String said = "";

        Shell() throws IOException {
            List<String> flags = List.of(
                    "-XX:SharedArchiveFile=/here",
                    "-Djava.library.path=/here",
                    "-Dname=it's",
                    "-Drobber.cli.columns=80");
            StartScript script = StartScript.of(program, java.toString(), flags);
            ProcessBuilder shell = new ProcessBuilder("sh", "-c", before + script.command());
            shell.environment().putAll(variables);
            shell.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
            shell.environment().put("SSH_CONNECTION", "10.0.0.7 1 10.0.0.8 22");
            process = shell.redirectError(ProcessBuilder.Redirect.INHERIT).start();
            process.getOutputStream().write(script.text());
            process.getOutputStream().flush();
        }

        void awaitNeed() throws IOException {
            String need = "\nrobber-need\n";
            said = new String(process.getInputStream().readNBytes(need.length()), UTF_8);
            assertThat(said).isEqualTo(need);
        }

        /** Gives it this input and no more, and returns all that it prints. */
        String end(byte[]... input) throws IOException, InterruptedException {
            try (OutputStream to = process.getOutputStream()) {
                for (byte[] part : input) {
                    to.write(part);
                }
            } catch (IOException e) {
                // it has ended before the end of its input
                assertThat(e).hasMessageContaining("roken pipe");
            }
            said += new String(process.getInputStream().readAllBytes(), UTF_8);
            process.waitFor();
            return said;
        }

        /** Gives it this input and no more, and hears nothing. */
        void breakOff(byte[] input) throws IOException, InterruptedException {
            process.getInputStream().close();
            try (OutputStream to = process.getOutputStream()) {
                to.write(input);
            }
            process.waitFor();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }
}

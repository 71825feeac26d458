package org.robber.cli.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script in a shell of this machine, with a program that prints what it gets. */
class StartScriptTest {

    @TempDir
    Path folder;

    private CarriedProgram program;
    private Path java;

    @BeforeEach
    void makeProgram() throws IOException {
        Path jar = folder.resolve("program.jar");
        try (OutputStream out = new JarOutputStream(Files.newOutputStream(jar), new Manifest())) {
            out.flush();
        }
        program = CarriedProgram.of(jar);
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
                + "--sun-misc-unsafe-memory-access=allow|-jar|" + cached + "|local-node|the order\n";

        assertThat(run(program.archive(), "the order\n".getBytes(UTF_8))).isEqualTo("\nrobber-need\n" + started);
        assertThat(run("the order\n".getBytes(UTF_8))).isEqualTo(started);
        assertThat(Files.getPosixFilePermissions(Path.of(cached).getParent())).hasSize(3);
    }

    @Test
    void aProgramThatWasDamagedIsTakenAnew() throws Exception {
        run(program.archive());
        Path jar = folder.resolve("cache/robber/" + program.digest() + "/robber-cli.jar");
        Files.write(jar, new byte[] {1});

        assertThat(run(program.archive())).startsWith("\nrobber-need\n\nrobber-ready ");
        assertThat(jar).hasSameBinaryContentAs(folder.resolve("program.jar"));
        assertThat(run()).startsWith("\nrobber-ready ");
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

    @Test
    void aCacheThatCannotBeMadeIsNamed() throws Exception {
        Files.writeString(folder.resolve("cache"), "in the way");

        assertThat(run()).startsWith("\nrobber-failed mkdir: ").contains("cache", "set XDG_CACHE_HOME there");
    }

    /** Runs the script with this input behind it, and returns what it prints. */
    private String run(byte[]... input) throws IOException, InterruptedException {
        List<String> flags = List.of("-XX:SharedArchiveFile=/here", "-Dname=it's", "-Drobber.cli.columns=80");
        StartScript script = StartScript.of(program, java.toString(), flags);
        ProcessBuilder shell = new ProcessBuilder("sh", "-c", script.command());
        shell.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        shell.environment().put("SSH_CONNECTION", "10.0.0.7 1 10.0.0.8 22");
        Path out = folder.resolve("out");
        Process process = shell.redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (OutputStream to = process.getOutputStream()) {
            to.write(script.text());
            for (byte[] part : input) {
                to.write(part);
            }
        } catch (IOException e) {
            // it has ended before the end of its input
            assertThat(e).hasMessageContaining("roken pipe");
        }
        process.waitFor();
        return Files.readString(out);
    }
}

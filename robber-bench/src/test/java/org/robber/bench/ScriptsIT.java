package org.robber.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripts, on the jar that was just built: what people run, with all that only a jar can have. */
class ScriptsIT {
    @TempDir
    Path folder;

    @Test
    @Tag("smoke")
    void loopbackRunsFromTheJarWithItsClassArchive() throws IOException, InterruptedException {
        String output = run(
                "bin/loopback",
                "--cases=2:4M",
                "--contenders=plain-file,robber-file",
                "--runs=1",
                "--directory=" + folder);
        assertThat(output).contains("-XX:SharedArchiveFile=", "Receivers: 2, of 4M each", "robber-file   / plain-file");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void floodsAreComparedForEncryptedJobs() throws IOException, InterruptedException {
        assertThat(run(
                        "bin/connection-flood",
                        "--case=1:1M",
                        "--runs=1",
                        "--class-archive=off",
                        "--directory=" + folder))
                .containsPattern("job flooded .* s by [0-9]+ connections")
                .contains("job flooded / other port flooded: ");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void jmhForksFromTheJar() throws IOException, InterruptedException {
        assertThat(run(
                        "bin/jmh",
                        "PieceSetBenchmark.first$",
                        "-p",
                        "pieces=2048",
                        "-f",
                        "1",
                        "-wi",
                        "0",
                        "-i",
                        "1",
                        "-r",
                        "1ms"))
                .contains("PieceSetBenchmark.first", "ns/op");
    }

    @Test
    void leavesNoProcessesAndNoFilesBehindWhenInterrupted() throws IOException, InterruptedException {
        Process process = builder(
                        "bin/loopback",
                        "--cases=2:1M",
                        "--contenders=plain-file",
                        "--runs=1000000",
                        "--directory=" + folder)
                .start();
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            String line = output.readLine();
            while (line != null && !line.contains("run 3/")) {
                line = output.readLine();
            }
            assertThat(line).isNotNull();
            List<ProcessHandle> children = process.descendants().toList();
            process.destroy();
            assertThat(process.waitFor()).isEqualTo(143);
            assertThat(children).noneMatch(ProcessHandle::isAlive);
            assertThat(folder).isEmptyDirectory();
        } finally {
            process.destroyForcibly();
        }
    }

    private static String run(String script, String... arguments) throws IOException, InterruptedException {
        Process process = builder(script, arguments).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private static ProcessBuilder builder(String script, String... arguments) {
        List<String> command = new ArrayList<>(List.of(new File(script).getAbsolutePath()));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder;
    }
}

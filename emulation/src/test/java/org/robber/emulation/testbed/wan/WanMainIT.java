package org.robber.emulation.testbed.wan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.collect.ImmutableList;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.robber.emulation.testbed.sandbox.TestbedRequirements;

/** The network's process by itself, in a namespace without anything else: what it says, and how it ends. */
class WanMainIT {

    private static final String PORT = "wan0=10.1.0.0/16";

    /** Holds the namespace. */
    private Process holder;

    @BeforeEach
    void makesANamespace() throws IOException {
        assumeTrue(
                TestbedRequirements.missing().isEmpty(),
                () -> "requirements of a testbed are missing: " + TestbedRequirements.missing());
        holder = new ProcessBuilder("unshare", "--net", "sh", "-c", "echo here; exec cat").start();
        assertThat(new BufferedReader(holder.inputReader(StandardCharsets.US_ASCII)).readLine())
                .isEqualTo("here");
    }

    @AfterEach
    void takesItAway() throws IOException {
        if (holder != null) {
            holder.getOutputStream().close();
            holder.destroyForcibly();
        }
    }

    @Test
    @Tag("smoke")
    void endsWithItsInputAndTakesItsDevicesAlong() throws Exception {
        Process process = start("9000", "100", "1", PORT, "wan1=10.2.0.0/16");
        try (BufferedReader answers = process.inputReader(StandardCharsets.US_ASCII)) {
            assertThat(answers.readLine()).startsWith("ready ");
            assertThat(devices()).contains("wan0").contains("wan1").contains("mtu 9000");
            process.getOutputStream().close();
            assertThat(answers.readLine()).isNull();
        }
        assertThat(exitCode(process)).isZero();
        assertThat(devices()).doesNotContain("wan");
    }

    @Test
    void leavesNothingWhenKilled() throws Exception {
        Process process = start("9000", "100", "1", PORT);
        try (BufferedReader answers = process.inputReader(StandardCharsets.US_ASCII)) {
            assertThat(answers.readLine()).startsWith("ready ");
            process.destroyForcibly().waitFor();
        }
        assertThat(devices()).doesNotContain("wan");
    }

    @Test
    void goesOnAfterNonsense() throws Exception {
        Process process = start("9000", "100", "1", PORT, "wan1=10.2.0.0/16");
        try (BufferedReader answers = process.inputReader(StandardCharsets.US_ASCII);
                BufferedWriter commands = process.outputWriter(StandardCharsets.US_ASCII)) {
            assertThat(answers.readLine()).startsWith("ready ");
            commands.write("nonsense\n\n" + "x".repeat(5000) + "\nlink 0 1 1000 0 0 1000\n");
            commands.flush();
            assertThat(answers.readLine()).startsWith("error: link, cut, up, down or count expected");
            assertThat(answers.readLine()).isEqualTo("error: an empty line");
            assertThat(answers.readLine()).startsWith("error: link, cut, up, down or count expected");
            assertThat(answers.readLine()).isEqualTo("ok");
        }
        assertThat(exitCode(process)).isZero();
    }

    @Test
    void saysWhatItCannotGoOnAfter() throws Exception {
        Process process = start("9000", "100", "1", PORT);
        try (BufferedReader answers = process.inputReader(StandardCharsets.US_ASCII)) {
            assertThat(answers.readLine()).startsWith("ready ");
            inNamespace("ip", "link", "del", "wan0");
            assertThat(answers.readLine()).startsWith("fatal: the device wan0 is gone");
        }
        assertThat(exitCode(process)).isEqualTo(1);
    }

    @Test
    void takesNoDeviceThatIsThere() throws Exception {
        inNamespace("ip", "tuntap", "add", "wan0", "mode", "tun");
        Process process = start("9000", "100", "1", PORT);
        try (BufferedReader answers = process.inputReader(StandardCharsets.US_ASCII)) {
            assertThat(answers.readLine()).isEqualTo("fatal: cannot make the device wan0: Device or resource busy");
        }
        assertThat(exitCode(process)).isEqualTo(1);
        assertThat(devices()).contains("wan0");
    }

    @Test
    void saysWhatIsWrongWithItsArguments() throws Exception {
        for (ImmutableList<String> wrong : ImmutableList.of(
                ImmutableList.<String>of(),
                ImmutableList.of("9000", "100", "1"),
                ImmutableList.of("many", "100", "1", PORT),
                ImmutableList.of("100", "100", "1", PORT),
                ImmutableList.of("9000", "0", "1", PORT),
                ImmutableList.of("9000", "100", "1", "wan0"))) {
            Process process = start(wrong.toArray(new String[0]));
            try (BufferedReader answers = process.inputReader(StandardCharsets.US_ASCII)) {
                assertThat(answers.readLine()).as("%s", wrong).startsWith("fatal: ");
            }
            assertThat(exitCode(process)).isEqualTo(2);
        }
    }

    private Process start(String... arguments) throws IOException {
        return new ProcessBuilder(ImmutableList.<String>builder()
                        .add("nsenter", "--net=/proc/" + holder.pid() + "/ns/net")
                        .add(System.getProperty("java.home") + "/bin/java", "-XX:TieredStopAtLevel=1", "-Xmx64m")
                        .add("--enable-native-access=ALL-UNNAMED")
                        .add("-cp", System.getProperty("java.class.path"), WanMain.class.getName())
                        .add(arguments)
                        .build())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static int exitCode(Process process) throws InterruptedException {
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private String devices() throws IOException, InterruptedException {
        return inNamespace("ip", "link");
    }

    private String inNamespace(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(ImmutableList.<String>builder()
                        .add("nsenter", "--net=/proc/" + holder.pid() + "/ns/net")
                        .add(command)
                        .build())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return said;
    }
}

package org.robber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A run of {@code bin/robber-cli} as a process of its own; ended, with all it started, by {@link #close}. */
final class Launched implements AutoCloseable {

    private static final long LIMIT_SECONDS = 120;

    private final Process process;
    private final Path out;
    private final Path err;
    private final List<ProcessHandle> nodes = new ArrayList<>();
    private final long startNanos = System.nanoTime();

    private Launched(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts it with these arguments. */
    static Launched start(Path folder, Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(script().toString()));
        command.addAll(List.of(arguments));
        return command(folder, environment, command);
    }

    /** Starts any command. */
    static Launched command(Path folder, Map<String, String> environment, List<String> command) throws IOException {
        Path out = Files.createTempFile(folder, "out", ".txt");
        Path err = Files.createTempFile(folder, "err", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("ROBBER_"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("XDG_STATE_HOME", folder.resolve("state").toString());
        builder.environment().putAll(environment);
        return new Launched(builder.start(), out, err);
    }

    /** The launcher script of this module, which has its archive of classes by then. */
    static Path script() {
        return ScriptWithArchive.PATH;
    }

    /** Waits for the end and returns the exit code. */
    int exitCode() throws InterruptedException, IOException {
        assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
                .as("still running; standard error so far:\n%s", err())
                .isTrue();
        return process.exitValue();
    }

    /** Completes when it has ended; to be combined with others. */
    CompletableFuture<Process> ended() {
        return process.onExit().orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    /** How long ago it was started, in whole seconds. */
    int seconds() {
        return (int) TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos);
    }

    String out() throws IOException {
        return Files.readString(out);
    }

    String err() throws IOException {
        return Files.readString(err);
    }

    /** Waits until it has said this on standard error. */
    void awaitSaid(String text, long limitNanos) throws IOException, InterruptedException {
        awaitSaid(text, 1, limitNanos);
    }

    /** Waits until it has said this so many times on standard error. */
    void awaitSaid(String text, int times, long limitNanos) throws IOException, InterruptedException {
        awaitSaid(Pattern.compile(Pattern.quote(text)), times, limitNanos);
    }

    /** Waits until it has said something like this so many times on standard error. */
    void awaitSaid(Pattern words, int times, long limitNanos) throws IOException, InterruptedException {
        long end = System.nanoTime() + limitNanos;
        while (true) {
            boolean running = running();
            if (words.split(err(), -1).length > times) {
                return;
            }
            assertThat(running && System.nanoTime() < end)
                    .as("waiting for %s; standard error so far:\n%s", words, err())
                    .isTrue();
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    long processId() {
        return process.pid();
    }

    boolean running() {
        return process.isAlive();
    }

    /** The nodes' processes that run at the moment. */
    List<ProcessHandle> nodes() {
        List<ProcessHandle> running = process.children().collect(Collectors.toList());
        running.forEach(node -> {
            if (!nodes.contains(node)) {
                nodes.add(node);
            }
        });
        return running;
    }

    /** Nodes seen by {@link #nodes} that run still. */
    List<ProcessHandle> survivors() {
        return nodes.stream().filter(Launched::runs).toList();
    }

    /** The process of this rank. */
    ProcessHandle node(int rank) {
        return findNode(rank).orElseThrow();
    }

    /** The process of this rank, if it runs. */
    Optional<ProcessHandle> findNode(int rank) {
        return nodes().stream()
                .filter(node -> hasVariable(node, "ROBBER_RANK", Integer.toString(rank)))
                .findFirst();
    }

    /** All processes of this machine that run with this variable: whatever has inherited it, orphans included. */
    static List<ProcessHandle> withVariable(String name, String value) {
        return ProcessHandle.allProcesses()
                .filter(process -> hasVariable(process, name, value) && runs(process))
                .toList();
    }

    private static boolean hasVariable(ProcessHandle process, String name, String value) {
        return environment(process).contains("\0" + name + "=" + value + "\0");
    }

    /** Sends a signal to a process that this run has started, or to the run itself. */
    static void signal(String name, long processId) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(processId))
                .redirectErrorStream(true)
                .start();
        assertThat(kill.waitFor()).isZero();
    }

    private static String environment(ProcessHandle node) {
        try {
            return "\0" + Files.readString(Path.of("/proc/" + node.pid() + "/environ"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    /** Whether it runs; a zombie does not. */
    private static boolean runs(ProcessHandle node) {
        try {
            String status = Files.readString(Path.of("/proc/" + node.pid() + "/stat"));
            return status.charAt(status.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        nodes().forEach(ProcessHandle::destroyForcibly);
        survivors().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /**
     * The first start after a build makes an archive of classes before it does its work. That takes more than a minute on a busy
     * machine, so it is none of those starts that have a limit.
     */
    private static final class ScriptWithArchive {
        static final Path PATH = Path.of("bin/robber-cli").toAbsolutePath();

        static {
            ProcessBuilder first = new ProcessBuilder(PATH.toString(), "--version")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT);
            first.environment().put("JAVA_HOME", System.getProperty("java.home"));
            try {
                assertThat(first.start().waitFor()).as("robber-cli --version").isZero();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }
}

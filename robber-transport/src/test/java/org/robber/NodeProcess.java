package org.robber;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A process with a node in it, and what it says. */
final class NodeProcess implements AutoCloseable {
    private static final int END_SECONDS = 20;

    private final Process process;
    private final List<Line> said = new ArrayList<>();
    private final CompletableFuture<Void> silent;

    /** A line, and when it came. */
    record Line(String text, long nanos) {}

    NodeProcess(Class<?> program, List<String> arguments) throws IOException {
        this(program, List.of(), arguments);
    }

    NodeProcess(Class<?> program, List<String> flags, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(arguments);
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        silent = CompletableFuture.runAsync(this::listen, work -> {
            Thread thread = new Thread(work, "listener");
            thread.setDaemon(true);
            thread.start();
        });
    }

    private void listen() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String text = reader.readLine(); text != null; text = reader.readLine()) {
                synchronized (said) {
                    said.add(new Line(text, System.nanoTime()));
                    said.notifyAll();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            synchronized (said) {
                said.notifyAll();
            }
        }
    }

    /** The first line that begins like this; null if there is none. */
    @Nullable
    Line line(String beginning) {
        synchronized (said) {
            return said.stream()
                    .filter(line -> line.text.startsWith(beginning))
                    .findFirst()
                    .orElse(null);
        }
    }

    /** Waits for the first line that begins like this. */
    Line await(String beginning, Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        synchronized (said) {
            Line line = line(beginning);
            while (line == null) {
                long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (millis <= 0 || !process.isAlive()) {
                    throw new AssertionError("no '" + beginning + "' within " + limit + "; it said " + lastWords());
                }
                said.wait(Math.min(millis, 1000));
                line = line(beginning);
            }
            return line;
        }
    }

    /** Waits for the process and all its words; returns its exit code, or null if it does not end. */
    @Nullable
    Integer awaitEnd(Duration limit) throws InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            return null;
        }
        silent.orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS).join();
        return process.exitValue();
    }

    /** Lets this time pass; fails if the process ends before. */
    void runFor(Duration time) throws InterruptedException {
        if (process.waitFor(time.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new AssertionError("it has ended before any was killed; it said " + lastWords());
        }
    }

    /** Ends it at once, without a word. */
    void kill() {
        process.destroyForcibly();
    }

    /** What it said last, for people. */
    String lastWords() {
        synchronized (said) {
            List<String> texts = said.stream().map(Line::text).toList();
            return String.join("\n  ", texts.subList(Math.max(0, texts.size() - 60), texts.size()));
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().orTimeout(END_SECONDS, TimeUnit.SECONDS).join();
    }
}

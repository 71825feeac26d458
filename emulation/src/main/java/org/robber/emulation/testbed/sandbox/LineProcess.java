package org.robber.emulation.testbed.sandbox;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A process that takes commands and gives answers in lines, and ends with its standard input. */
public final class LineProcess implements AutoCloseable {

    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);
    private static final long END_SECONDS = 5;

    private static final String END = "end of output";
    private static final List<String> FAILURES = List.of("error", "fatal");

    private final String name;
    private final Process process;
    private final BufferedWriter commands;
    private final LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final List<String> unread = new ArrayList<>();

    private LineProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        this.commands = process.outputWriter(StandardCharsets.US_ASCII);
    }

    /**
     * Starts it.
     *
     * @param name for people
     */
    public static LineProcess start(String name, ProcessBuilder command) {
        try {
            LineProcess started = new LineProcess(name, command.start());
            Thread reader = new Thread(started::read, name);
            reader.setDaemon(true);
            reader.start();
            return started;
        } catch (IOException e) {
            throw new TestbedException(name + " does not start: " + e.getMessage(), e);
        }
    }

    /** Gives commands. */
    public void tell(String lines) {
        try {
            commands.write(lines);
            commands.newLine();
            commands.flush();
        } catch (IOException e) {
            throw new TestbedException(name + " is gone: " + String.join(" ", answers), e);
        }
    }

    /**
     * The next line of its output that has this beginning, or that tells of a failure. Lines before it are kept for whoever asks
     * for them.
     *
     * @param work how long the work takes that is answered
     * @throws TestbedException if none comes in time, or if the process ends
     */
    public String answer(String beginning, Duration work) throws InterruptedException {
        for (String answer : unread) {
            if (answer.startsWith(beginning)) {
                unread.remove(answer);
                return answer;
            }
        }
        long end = System.nanoTime() + ANSWER_LIMIT.plus(work).toNanos();
        while (true) {
            String answer = answers.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (answer == null) {
                throw unexpected(beginning, said());
            }
            if (answer.equals(END)) {
                // For whoever asks next.
                answers.add(END);
                throw new TestbedException(name + " is gone: it was to say '" + beginning + "' but says " + said());
            }
            if (answer.startsWith(beginning) || FAILURES.stream().anyMatch(answer::startsWith)) {
                return answer;
            }
            unread.add(answer);
        }
    }

    private String said() {
        return unread.isEmpty() ? "nothing" : "'" + String.join("; ", unread) + "'";
    }

    /**
     * The failure of a process that says something else.
     *
     * @param said what it says, in quotes where that is a line
     */
    public TestbedException unexpected(String wanted, String said) {
        return new TestbedException(name + " was to say '" + wanted + "' but says " + said);
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.US_ASCII)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                answers.add(line);
            }
        } catch (IOException e) {
            answers.add("its output cannot be read: " + e.getMessage());
        }
        answers.add(END);
    }

    /** Tells it to end. */
    public void end() {
        try {
            commands.close();
        } catch (IOException e) {
            // it has ended before
            process.destroyForcibly();
        }
    }

    /** Ends it, and waits for that. */
    @Override
    public void close() {
        end();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}

package org.robber.emulation.testbed.calibration;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.robber.emulation.testbed.sandbox.TestbedException;

/** A running {@link CalibrationAgent}, as its controller sees it. */
final class AgentProcess implements AutoCloseable {

    static final List<String> COMMAND = List.of(
            System.getProperty("java.home") + "/bin/java",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Xshare:auto",
            "-Xmx64m",
            "-cp",
            System.getProperty("java.class.path"),
            CalibrationAgent.class.getName());

    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);

    private static final long END_SECONDS = 5;
    private static final String ERROR = "error";
    private static final String END = "end of output";

    private final int rank;
    private final Process process;
    private final BufferedWriter commands;
    private final LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final List<String> unread = new ArrayList<>();

    private AgentProcess(int rank, Process process) {
        this.rank = rank;
        this.process = process;
        this.commands = process.outputWriter(StandardCharsets.US_ASCII);
    }

    /** Starts an agent; {@link #awaitReady} waits until it is ready. */
    static AgentProcess start(int rank, ProcessBuilder command) {
        try {
            AgentProcess agent =
                    new AgentProcess(rank, command.redirectErrorStream(true).start());
            Thread reader = new Thread(agent::read, "agent-" + rank);
            reader.setDaemon(true);
            reader.start();
            return agent;
        } catch (IOException e) {
            throw new TestbedException("calibration: cannot start a program: " + e.getMessage(), e);
        }
    }

    void awaitReady() throws InterruptedException {
        answer("ready");
    }

    void tell(String line) {
        try {
            commands.write(line);
            commands.newLine();
            commands.flush();
        } catch (IOException e) {
            throw new TestbedException("calibration: the program on rank " + rank + " is gone: " + answers, e);
        }
    }

    /**
     * The rest of the answer with this beginning. Other answers that come before it are kept.
     *
     * @throws TestbedException if it does not come
     */
    String answer(String beginning) throws InterruptedException {
        return answer(beginning, Duration.ZERO);
    }

    /**
     * The same.
     *
     * @param work how long that takes which the answer is about
     */
    String answer(String beginning, Duration work) throws InterruptedException {
        for (String answer : unread) {
            if (answer.startsWith(beginning)) {
                unread.remove(answer);
                return answer.substring(beginning.length()).strip();
            }
        }
        while (true) {
            String answer = answers.poll(ANSWER_LIMIT.plus(work).toMillis(), TimeUnit.MILLISECONDS);
            if (answer == null || answer.startsWith(ERROR) || answer.equals(END)) {
                throw new TestbedException("calibration: the program on rank " + rank + " was to say '" + beginning
                        + "' but says " + (answer == null ? "nothing" : "'" + answer + "'"));
            }
            if (answer.startsWith(beginning)) {
                return answer.substring(beginning.length()).strip();
            }
            unread.add(answer);
        }
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.US_ASCII)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                answers.add(line);
            }
            answers.add(END);
        } catch (IOException e) {
            answers.add(ERROR + " cannot read its output: " + e.getMessage());
        }
    }

    /** Tells it to end. */
    void end() {
        try {
            commands.close();
        } catch (IOException e) {
            // it has ended before
            process.destroyForcibly();
        }
    }

    /** Ends it, and waits for that: its processor time must not count for the programs that follow. */
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

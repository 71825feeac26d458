package org.robber.emulation.testbed.calibration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.robber.emulation.testbed.sandbox.LineProcess;

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

    private static final String ERROR = "error";

    private final LineProcess process;
    private final List<String> unread = new ArrayList<>();

    private AgentProcess(LineProcess process) {
        this.process = process;
    }

    /** Starts an agent; {@link #awaitReady} waits until it is ready. */
    static AgentProcess start(int rank, ProcessBuilder command) {
        return new AgentProcess(
                LineProcess.start("calibration: the program on rank " + rank, command.redirectErrorStream(true)));
    }

    void awaitReady() throws InterruptedException {
        answer("ready", Duration.ZERO);
    }

    void tell(String line) {
        process.tell(line);
    }

    /**
     * The rest of the answer with this beginning. Other answers that come before it are kept.
     *
     * @param work how long the work takes that is answered
     * @throws org.robber.emulation.testbed.sandbox.TestbedException if it does not come
     */
    String answer(String beginning, Duration work) throws InterruptedException {
        for (String answer : unread) {
            if (answer.startsWith(beginning)) {
                unread.remove(answer);
                return answer.substring(beginning.length()).strip();
            }
        }
        while (true) {
            String answer = process.answer(beginning, work);
            if (answer.startsWith(ERROR)) {
                throw process.unexpected(beginning, "'" + answer + "'");
            }
            if (answer.startsWith(beginning)) {
                return answer.substring(beginning.length()).strip();
            }
            unread.add(answer);
        }
    }

    /** Tells it to end. */
    void end() {
        process.end();
    }

    /** Ends it, and waits for that: its processor time must not count for the programs that follow. */
    @Override
    public void close() {
        process.close();
    }
}

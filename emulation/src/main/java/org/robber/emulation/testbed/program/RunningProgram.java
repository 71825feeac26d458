package org.robber.emulation.testbed.program;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The running program of a node. */
final class RunningProgram {

    private static final long PIPE_MILLIS = 1000;

    private final int rank;
    private final Process process;
    private final LineTail output = new LineTail();
    private final LineTail errors = new LineTail();
    /** Lines that must not be lost when later output is long. */
    private final List<String> done = new ArrayList<>();

    private final List<Thread> pumps = new ArrayList<>();
    private volatile boolean stopped;

    private RunningProgram(int rank, Process process) {
        this.rank = rank;
        this.process = process;
    }

    /**
     * Starts it.
     *
     * @param lines takes every line that the program writes, on some thread
     * @param exit given it on some thread when it has ended
     */
    static RunningProgram start(int rank, ProcessBuilder command, Consumer<String> lines, Consumer<RunningProgram> exit)
            throws IOException {
        RunningProgram node = new RunningProgram(rank, command.start());
        node.process.getOutputStream().close();
        node.pump(node.process.getInputStream(), node.output, lines.andThen(node::keepIfDone));
        node.pump(node.process.getErrorStream(), node.errors, lines);
        var unused = node.process.onExit().thenRun(() -> exit.accept(node));
        return node;
    }

    private void pump(InputStream from, LineTail to, Consumer<String> lines) {
        Thread pump = new Thread(
                () -> {
                    try (Reader text = new InputStreamReader(from, StandardCharsets.UTF_8)) {
                        to.read(text, lines);
                    } catch (IOException e) {
                        // its pipe was closed when it was killed: no more lines come
                        lines.accept("");
                    }
                },
                "node-" + rank);
        pump.setDaemon(true);
        pumps.add(pump);
        pump.start();
    }

    private void keepIfDone(String line) {
        if (EventLine.parse(line)
                .filter(event -> event.type().equals(EventLine.DONE))
                .isPresent()) {
            synchronized (done) {
                if (done.size() < NodeExit.MOST_DONE) {
                    done.add(line);
                }
            }
        }
    }

    boolean isRunning() {
        return process.isAlive();
    }

    /** As in its {@link NodeExit}; only once it has ended. */
    int exitCode() {
        return stopped ? NodeExit.STOPPED : process.exitValue();
    }

    /** If it runs, its end from now on is no failure of its own. */
    void markStopped() {
        stopped |= process.isAlive();
    }

    /** Asks the program, and what it has started, to end. */
    void stop() {
        descendants().forEach(ProcessHandle::destroy);
    }

    /** Ends the program and what it has started. */
    void kill() {
        markStopped();
        descendants().forEach(ProcessHandle::destroyForcibly);
    }

    /** All but the process that entered the namespaces for them: it ends as they do and tells how they did. */
    private Stream<ProcessHandle> descendants() {
        return process.descendants();
    }

    boolean awaitExit(long nanos) throws InterruptedException {
        return process.waitFor(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    }

    /** How it ended; only once it has. */
    NodeExit exit() throws InterruptedException {
        for (Thread pump : pumps) {
            // something it started may hold the pipe open for longer
            pump.join(PIPE_MILLIS);
        }
        synchronized (done) {
            return new NodeExit(rank, exitCode(), output.text(), errors.text(), ImmutableList.copyOf(done));
        }
    }
}

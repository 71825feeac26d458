package org.robber.cli.launch;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException.Reason;
import org.robber.cli.node.NodeOutput;
import org.robber.cli.progress.StatusConsole;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node's process, or the one that leads to it on another host; started by this one. */
final class NodeProcess {

    private static final int FRAME_BYTES = 64 << 10;
    private static final int FIRST_SIGNAL_CODE = 129;

    /** ssh ends with it if its connection breaks, or the command at its other end is killed; so does the process of a daemon here. */
    private static final int CONNECTION_LOST_CODE = 255;

    private static final Logger LOG = LoggerFactory.getLogger(NodeProcess.class);

    /** Hang-up, interrupt and terminate. */
    private static final Set<Integer> POLITE_SIGNALS = Set.of(1, 2, 15);

    private final int rank;
    private final NodeProcesses.Node description;
    private final Process process;
    private final OutputPump output;

    /** Null for a node elsewhere, whose errors are shown where its ssh runs. */
    private final @Nullable ErrorPump errors;

    private NodeProcess(
            int rank, NodeProcesses.Node description, Process process, OutputPump output, @Nullable ErrorPump errors) {
        this.rank = rank;
        this.description = description;
        this.process = process;
        this.output = output;
        this.errors = errors;
    }

    /**
     * Starts it.
     *
     * @param output told what the process prints, from a thread of its own
     */
    static NodeProcess start(int rank, NodeProcesses.Node description, NodeOutput output, StatusConsole console)
            throws IOException {
        String name = description.name();
        Process process = description.start().process();
        OutputPump lines = OutputPump.start(name + "-out", process.getInputStream(), line -> {
            if (!PipeReader.read(line, output)) {
                console.line(name + ": " + line);
            }
        });
        ErrorPump errors = description.remote() ? null : ErrorPump.start(name, process.getErrorStream(), console);
        return new NodeProcess(rank, description, process, lines, errors);
    }

    int rank() {
        return rank;
    }

    /** As people know it, with its rank. */
    String label() {
        return name() + " (rank " + rank + ")";
    }

    /** The host that the node is on, without a user, or empty if that is this machine. */
    String host() {
        return description.remote() ? name().substring(name().indexOf('@') + 1) : "";
    }

    private String name() {
        return description.name();
    }

    /** The order that it was told, if there is one. */
    Optional<NodeOrder> order() {
        return description.order();
    }

    /**
     * How it has ended, in words; only once it has.
     *
     * @param when behind the end, or empty
     */
    String end(String when) {
        String words = errors == null ? description.lastWords().get() : errors.lastWords();
        return (killed() ? death() : label() + " ended with exit code " + exitCode())
                + when
                + (words.isEmpty() ? "" : "; it said last: " + words);
    }

    /** How a process that was {@link #killed} has ended, in words. */
    String death() {
        return exitCode() == CONNECTION_LOST_CODE
                ? label() + " was killed there, or the connection with it broke"
                : label() + ", process " + process.pid() + ", was killed by signal " + signal();
    }

    boolean running() {
        return process.isAlive();
    }

    /** Whether it has ended because the connection with its host broke, or because the node was killed there; only once it has ended. */
    boolean lostConnection() {
        return description.remote() && exitCode() == CONNECTION_LOST_CODE;
    }

    /** How long other nodes wait for a word of this one. */
    Duration idleTimeout() {
        return description.order().map(order -> order.network().idle()).orElse(Duration.ZERO);
    }

    /** Runs this, from some thread, when the process has ended. */
    void onExit(Runnable action) {
        var unused = process.onExit().thenRun(action);
    }

    /** The code with which the process ended; only once it has. */
    int exitCode() {
        return process.exitValue();
    }

    /** The documented exit code that is nearest to that of the process; of a job that ends as the process did. */
    int jobCode() {
        if (exitCode() == 0) {
            return 0;
        }
        Reason reason = signal() != 0 ? Reason.INTERRUPTED : Reason.ofExitCode(exitCode());
        return reason.exitCode();
    }

    /** The signal that ended the process, or 0. */
    int signal() {
        return exitCode() >= FIRST_SIGNAL_CODE ? exitCode() - FIRST_SIGNAL_CODE + 1 : 0;
    }

    /** Whether it was ended from outside, and not by a signal that asks a process to end by itself. */
    boolean killed() {
        return signal() != 0 && !POLITE_SIGNALS.contains(signal());
    }

    /** Sends a line to the {@link ParentLink} of the process; does nothing once the process has ended. */
    void tell(String line) {
        boolean unused = send(line, new byte[0], 0);
    }

    /** Sends the first bytes of an array to the {@link ParentLink} of the process; whether it still reads. */
    boolean tellData(byte[] bytes, int length) {
        return send(ParentLink.DATA + length, bytes, length);
    }

    private synchronized boolean send(String line, byte[] bytes, int length) {
        try {
            OutputStream input = process.getOutputStream();
            input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            input.write(bytes, 0, length);
            input.flush();
            return true;
        } catch (IOException e) {
            // it ends: to destroy it would lose its last words
            LOG.debug("{} does not listen", name(), e);
            return false;
        }
    }

    /** Brings it an input, from a thread of its own: see {@link ForwardedInput}. */
    void forward(InputStream input) {
        Thread thread = new Thread(() -> forwardAll(input), "forward-input");
        thread.setDaemon(true);
        thread.start();
    }

    private void forwardAll(InputStream input) {
        byte[] frame = new byte[FRAME_BYTES];
        try {
            int length = input.read(frame);
            while (length >= 0 && tellData(frame, length)) {
                length = input.read(frame);
            }
            if (length < 0) {
                boolean unused = tellData(frame, 0);
            }
        } catch (IOException e) {
            tell(ParentLink.BROKEN + e.getMessage());
        }
    }

    /** Ends the {@link ParentLink} of the process, some time from now: a close waits for what is being written. */
    void hangUp() {
        Thread thread = new Thread(
                () -> {
                    try {
                        process.getOutputStream().close();
                    } catch (IOException e) {
                        // it ends: to destroy it would lose its last words
                        LOG.debug("{} does not listen", name(), e);
                    }
                },
                name() + "-hang-up");
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits until the process has ended, at most this long; whether it has. */
    boolean awaitExit(long nanos) {
        try {
            return process.waitFor(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return !process.isAlive();
        }
    }

    /** Waits until all that the process said has been passed on; only once it has ended. */
    void awaitOutput() throws InterruptedException {
        output.awaitEnd();
        if (errors != null) {
            errors.awaitEnd();
        }
    }

    /** Asks the process to end. To other hosts no signals are handed on, but the end of its input. */
    void stop() {
        if (description.remote()) {
            hangUp();
        } else {
            // Process.destroy would close the pipe to it first, and wait for what is being written.
            boolean unused = process.toHandle().destroy();
        }
    }

    /** Ends the process. */
    void kill() {
        ProcessTree.kill(process);
    }
}

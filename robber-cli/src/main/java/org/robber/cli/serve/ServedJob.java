package org.robber.cli.serve;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.robber.cli.launch.ProcessTree;
import org.robber.cli.serve.Frames.Frame;
import org.robber.cli.serve.Frames.Kind;
import org.robber.transport.service.ServiceConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One node that a daemon has started: a process that ends when it wants to, or when the connection with its operator ends. */
final class ServedJob {
    private static final Logger LOG = LoggerFactory.getLogger(ServedJob.class);

    /** How long a node may take to end once its operator is gone, and how long the operator may take to hear of its end. */
    private static final Duration END_LIMIT = Duration.ofSeconds(5);

    private final ServiceConnection connection;
    private final Frames frames;
    private final Process process;

    ServedJob(ServiceConnection connection, Frames frames, Process process) {
        this.connection = connection;
        this.frames = frames;
        this.process = process;
    }

    long processId() {
        return process.pid();
    }

    /** Asks the node to end. */
    void stop() {
        process.destroy();
    }

    void kill() {
        ProcessTree.kill(process);
    }

    /**
     * Carries bytes between the operator and the node until both have ended.
     *
     * @return the exit code of the node
     */
    int run() throws InterruptedException {
        Thread output = pump(Kind.OUTPUT, process.getInputStream());
        Thread errors = pump(Kind.ERRORS, process.getErrorStream());
        start("end", () -> tellEnd(output, errors));
        try {
            carryInput();
        } catch (IOException e) {
            LOG.debug("end of the connection with the operator of process {}", process.pid(), e);
        }
        connection.close();
        hangUp();
        if (!process.waitFor(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
            kill();
        }
        return process.waitFor();
    }

    private void carryInput() throws IOException {
        OutputStream input = process.getOutputStream();
        for (Frame frame = frames.read(); frame != null; frame = frames.read()) {
            if (frame.kind() != Kind.INPUT) {
                throw new IOException("it sent " + frame.kind() + " to a daemon");
            }
            if (frame.bytes().length == 0) {
                hangUp();
            } else {
                try {
                    input.write(frame.bytes());
                    input.flush();
                } catch (IOException e) {
                    // the node has ended, or its input: the operator hears of it
                    LOG.debug("process {} reads no more", process.pid(), e);
                }
            }
        }
    }

    /** The end of its input tells a node that its operator is gone. */
    private void hangUp() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            LOG.debug("process {} has ended", process.pid(), e);
        }
    }

    private Thread pump(Kind kind, InputStream from) {
        return start(kind.name(), () -> {
            byte[] buffer = new byte[Frames.MOST_BYTES];
            try (from) {
                boolean heard = true;
                for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
                    heard = heard && tell(kind, buffer, count);
                }
            } catch (IOException e) {
                LOG.debug("end of the output of process {}", process.pid(), e);
            }
        });
    }

    /** A node whose operator is gone must not wait for a reader. */
    private boolean tell(Kind kind, byte[] bytes, int count) {
        try {
            frames.write(kind, bytes, 0, count);
            return true;
        } catch (IOException e) {
            LOG.debug("the operator of process {} is gone", process.pid(), e);
            return false;
        }
    }

    private void tellEnd(Thread output, Thread errors) {
        try {
            int exitCode = process.waitFor();
            // a process that it started may hold the pipes open for longer
            output.join(END_LIMIT.toMillis());
            errors.join(END_LIMIT.toMillis());
            byte[] code = ByteBuffer.allocate(Integer.BYTES).putInt(exitCode).array();
            boolean heard = tell(Kind.EXIT, code, code.length);
            LOG.debug(
                    "process {} has ended with {}, and its operator has heard of it: {}",
                    process.pid(),
                    exitCode,
                    heard);
            // the operator closes the connection, so that nothing of this is lost on its way
            connection.limitReads(END_LIMIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Thread start(String name, Runnable work) {
        Thread thread = new Thread(work, "job-" + process.pid() + "-" + name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}

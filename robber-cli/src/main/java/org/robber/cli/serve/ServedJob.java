package org.robber.cli.serve;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
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

    /** How long a node may read nothing while as much as fits waits for it. */
    private static final Duration INPUT_LIMIT = Duration.ofSeconds(60);

    /** Orders of nodes are far smaller: at most so many frames of {@link Frames#MOST_BYTES} wait. */
    private static final int MOST_PENDING_FRAMES = 64;

    private final ServiceConnection connection;
    private final Frames frames;
    private final Process process;

    /** What the operator has sent to the node; nothing in place of its end. */
    private final BlockingQueue<byte[]> pending = new LinkedBlockingQueue<>(MOST_PENDING_FRAMES);

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
        Thread input = start("input", this::writeInput);
        Thread output = pump(Kind.OUTPUT, process.getInputStream());
        Thread errors = pump(Kind.ERRORS, process.getErrorStream());
        start("end", () -> tellEnd(output, errors));
        try {
            readInput();
        } catch (IOException e) {
            LOG.debug("end of the connection with the operator of process {}", process.pid(), e);
        }
        connection.close();
        try {
            // The end of its input tells a node that its operator is gone. If there is no room, it does not read.
            boolean heard = pending.offer(new byte[0]);
            LOG.debug("process {} is told the end: {}", process.pid(), heard);
            if (!process.waitFor(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                kill();
            }
            return process.waitFor();
        } finally {
            input.interrupt();
        }
    }

    /** Reads until the operator is gone, which it must see while the node reads nothing. */
    private void readInput() throws IOException, InterruptedException {
        for (Frame frame = frames.read(); frame != null; frame = frames.read()) {
            if (frame.kind() != Kind.INPUT) {
                throw new IOException("it sent " + frame.kind() + " to a daemon");
            }
            if (!pending.offer(frame.bytes(), INPUT_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException("the node has read nothing for " + INPUT_LIMIT.toSeconds() + " s");
            }
        }
    }

    private void writeInput() {
        OutputStream input = process.getOutputStream();
        try {
            while (true) {
                write(input, pending.take());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(OutputStream input, byte[] bytes) {
        try {
            if (bytes.length == 0) {
                input.close();
            } else {
                input.write(bytes);
                input.flush();
            }
        } catch (IOException e) {
            // the node has ended, or its input: the operator hears of it
            LOG.debug("process {} reads no more", process.pid(), e);
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

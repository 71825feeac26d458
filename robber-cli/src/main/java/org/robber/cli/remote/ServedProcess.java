package org.robber.cli.remote;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.robber.cli.progress.PrefixedLines;
import org.robber.cli.serve.Frames;
import org.robber.cli.serve.Frames.Frame;
import org.robber.cli.serve.Frames.Kind;
import org.robber.transport.service.ServiceConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process of a node on another host, at the other end of the connection with its daemon. It ends when that connection does. */
final class ServedProcess extends Process {
    private static final Logger LOG = LoggerFactory.getLogger(ServedProcess.class);

    /** As ssh says it. */
    private static final int CONNECTION_LOST_CODE = 255;

    private final ServiceConnection connection;
    private final Frames frames;
    private final long processId;
    private final PrefixedLines errors;
    private final PipedInputStream output = new PipedInputStream(Frames.MOST_BYTES);
    private final OutputStream input = new BufferedOutputStream(new Input(), Frames.MOST_BYTES);
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();

    private ServedProcess(ServiceConnection connection, Frames frames, long processId, PrefixedLines errors) {
        this.connection = connection;
        this.frames = frames;
        this.processId = processId;
        this.errors = errors;
    }

    /**
     * A process that has just been started.
     *
     * @param processId there
     * @param errors gets its standard error
     */
    static Process over(ServiceConnection connection, Frames frames, long processId, PrefixedLines errors)
            throws IOException {
        ServedProcess process = new ServedProcess(connection, frames, processId, errors);
        PipedOutputStream target = new PipedOutputStream(process.output);
        Thread reader = new Thread(() -> process.read(target), "served-process");
        reader.setDaemon(true);
        reader.start();
        return process;
    }

    private void read(PipedOutputStream target) {
        int exitCode = CONNECTION_LOST_CODE;
        try (target;
                connection) {
            Frame frame = frames.read();
            while (frame != null && frame.kind() != Kind.EXIT) {
                pass(frame, target);
                frame = frames.read();
            }
            if (frame != null) {
                exitCode = ByteBuffer.wrap(frame.bytes()).getInt();
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("end of the connection with process {}", processId, e);
        } finally {
            errors.end();
            exit.complete(exitCode);
        }
    }

    private void pass(Frame frame, OutputStream target) throws IOException {
        if (frame.kind() == Kind.OUTPUT) {
            target.write(frame.bytes());
            // Wakes up the reader.
            target.flush();
        } else if (frame.kind() == Kind.ERRORS) {
            errors.add(frame.bytes());
        } else {
            throw new IOException("a daemon sent " + frame.kind());
        }
    }

    /** Its end is told to the node; the connection stays. */
    private final class Input extends OutputStream {
        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (length > 0) {
                frames.write(Kind.INPUT, bytes, offset, length);
            }
        }

        @Override
        public void close() throws IOException {
            frames.write(Kind.INPUT, new byte[0]);
        }
    }

    @Override
    public OutputStream getOutputStream() {
        return input;
    }

    @Override
    public InputStream getInputStream() {
        return output;
    }

    /** Its standard error is shown as it comes. */
    @Override
    public InputStream getErrorStream() {
        return InputStream.nullInputStream();
    }

    @Override
    public int waitFor() throws InterruptedException {
        try {
            return exit.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("it always ends with a code", e);
        }
    }

    @Override
    public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
        try {
            int unused = exit.get(timeout, unit);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("it always ends with a code", e);
        }
    }

    @Override
    public int exitValue() {
        if (!exit.isDone()) {
            throw new IllegalThreadStateException("it has not ended");
        }
        return exit.join();
    }

    @Override
    public boolean isAlive() {
        return !exit.isDone();
    }

    @Override
    public CompletableFuture<Process> onExit() {
        return exit.thenApply(code -> this);
    }

    /** Its process there. */
    @Override
    public long pid() {
        return processId;
    }

    /** None on this machine. */
    @Override
    public Stream<ProcessHandle> descendants() {
        return Stream.empty();
    }

    /** Ends the connection: then the daemon ends the process. */
    @Override
    public void destroy() {
        connection.close();
    }
}

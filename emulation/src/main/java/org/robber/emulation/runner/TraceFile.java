package org.robber.emulation.runner;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.robber.core.trace.TraceEvent;
import org.robber.core.trace.TraceSink;
import org.robber.emulation.runner.ExperimentException.Reason;

/** A file with a line for each event of a run, in order. */
final class TraceFile implements TraceSink, AutoCloseable {

    private final Path file;
    private final BufferedWriter writer;

    /**
     * Creates or replaces the file.
     *
     * @throws ExperimentException if it cannot be written
     */
    TraceFile(Path file) {
        this.file = file;
        try {
            this.writer = Files.newBufferedWriter(file);
        } catch (IOException e) {
            throw failure(e);
        }
    }

    @Override
    public void accept(TraceEvent event) {
        try {
            writer.append(event.toLine()).append('\n');
        } catch (IOException e) {
            throw failure(e);
        }
    }

    @Override
    public void close() {
        try {
            writer.close();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private ExperimentException failure(IOException cause) {
        return new ExperimentException(Reason.DESTINATION, "trace", "the trace cannot be written to " + file, cause);
    }
}

package org.robber.cli.emulate;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.report.FileFailure;
import org.robber.core.trace.TraceEvent;
import org.robber.core.trace.TraceSink;

/** A file with a line for each event of a run, in order. */
final class EventFile implements TraceSink, AutoCloseable {

    private final Path file;
    private final BufferedWriter writer;

    private EventFile(Path file, BufferedWriter writer) {
        this.file = file;
        this.writer = writer;
    }

    /**
     * Begins a file.
     *
     * @throws RobberException if it can't be written
     */
    static EventFile create(Path file) {
        try {
            return new EventFile(file, Files.newBufferedWriter(file));
        } catch (IOException e) {
            throw failure(file, e);
        }
    }

    @Override
    public void accept(TraceEvent event) {
        try {
            writer.append(event.toLine()).append('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            writer.close();
        } catch (IOException e) {
            throw failure(file, e);
        }
    }

    private static RobberException failure(Path file, IOException cause) {
        return new RobberException(
                Reason.DESTINATION,
                List.of(),
                "trace",
                "the trace cannot be written to " + file + ": " + FileFailure.text(cause),
                cause);
    }
}

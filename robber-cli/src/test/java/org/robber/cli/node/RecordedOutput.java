package org.robber.cli.node;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.robber.JobControl.JobProgress;

/** Keeps the results and errors of nodes. */
public final class RecordedOutput implements NodeOutput {
    /** Lines of results. */
    public final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    /** Messages of errors. */
    public final List<String> errors = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void listening(int port) {}

    @Override
    public void joined(int nodes) {}

    @Override
    public void started(long bytesTotal) {}

    @Override
    public void progress(JobProgress progress) {}

    @Override
    public void lost(int rank) {}

    @Override
    public void result(String line) {
        lines.add(line);
    }

    @Override
    public void error(int exitCode, String message) {
        errors.add(message);
    }

    /** All lines. */
    public String text() {
        return String.join("\n", lines);
    }
}

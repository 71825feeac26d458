package org.robber.cli.node;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.robber.JobControl.JobProgress;

/** Keeps what nodes tell. */
public class RecordedOutput implements NodeOutput {
    /** Lines of results. */
    public final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    /** Bytes that each start has told. */
    public final List<Long> starts = Collections.synchronizedList(new ArrayList<>());
    /** Progress in its order. */
    public final List<JobProgress> progress = Collections.synchronizedList(new ArrayList<>());
    /** Ranks of lost nodes. */
    public final List<Integer> losses = Collections.synchronizedList(new ArrayList<>());
    /** Messages of errors. */
    public final List<String> errors = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void listening(int port) {}

    @Override
    public void joined(int nodes) {}

    @Override
    public void started(long bytesTotal) {
        starts.add(bytesTotal);
    }

    @Override
    public void progress(JobProgress shown) {
        progress.add(shown);
    }

    @Override
    public void lost(int rank) {
        losses.add(rank);
    }

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

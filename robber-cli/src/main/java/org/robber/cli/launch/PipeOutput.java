package org.robber.cli.launch;

import com.google.common.base.Splitter;
import java.io.PrintStream;
import org.robber.JobControl.JobProgress;
import org.robber.cli.node.NodeOutput;

/** The node's end of the pipe to its launcher: one line for each call, read by {@link PipeReader}. */
public final class PipeOutput implements NodeOutput {

    private final PrintStream out;

    public PipeOutput(PrintStream out) {
        this.out = out;
    }

    @Override
    public void listening(int port) {
        send(PipeReader.LISTENING, Integer.toString(port));
    }

    @Override
    public void joined(int nodes) {
        send(PipeReader.JOINED, Integer.toString(nodes));
    }

    @Override
    public void started(long bytesTotal) {
        send(PipeReader.STARTED, Long.toString(bytesTotal));
    }

    @Override
    public void progress(JobProgress progress) {
        send(
                PipeReader.PROGRESS,
                progress.bytesDone() + " " + progress.bytesTotal() + " " + progress.nodesDone() + " "
                        + progress.nodes());
    }

    @Override
    public void lost(int rank) {
        send(PipeReader.LOST, Integer.toString(rank));
    }

    @Override
    public void result(String line) {
        Splitter.on('\n').split(line).forEach(one -> send(PipeReader.RESULT, one));
    }

    @Override
    public void error(int exitCode, String message) {
        send(PipeReader.ERROR, exitCode + " " + message.replaceAll("\\R", " "));
    }

    private synchronized void send(String kind, String text) {
        out.print(kind + " " + text + "\n");
        out.flush();
    }
}

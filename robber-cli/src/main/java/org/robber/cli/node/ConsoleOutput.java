package org.robber.cli.node;

import java.io.PrintStream;
import org.robber.JobControl.JobProgress;
import org.robber.cli.progress.ProgressDisplay;
import org.robber.cli.progress.StatusConsole;
import org.robber.cli.progress.TerminalText;

/** Prints results to standard output, and progress and errors to standard error. */
public record ConsoleOutput(PrintStream results, StatusConsole console, ProgressDisplay display) implements NodeOutput {

    @Override
    public void started(long bytesTotal) {
        display.start(bytesTotal);
    }

    @Override
    public void progress(JobProgress progress) {
        display.update(progress);
    }

    @Override
    public void lost(int rank) {
        display.lost(rank);
    }

    @Override
    public void result(String line) {
        display.end();
        results.print(TerminalText.of(line) + "\n");
        results.flush();
    }

    @Override
    public void ended() {
        display.end();
    }

    @Override
    public void error(int exitCode, String message) {
        display.end();
        console.line("robber-cli: error: " + message);
    }
}

package org.robber.cli;

import java.io.PrintStream;
import org.robber.JobControl.JobProgress;
import org.robber.cli.progress.ProgressDisplay;
import org.robber.cli.progress.StatusConsole;
import org.robber.cli.replicate.NodeOutput;

/** Shows people how the job goes: results on standard output, all else on standard error. */
final class ConsoleOutput implements NodeOutput {

    private final PrintStream results;
    private final StatusConsole console;
    private final ProgressDisplay display;

    ConsoleOutput(PrintStream results, StatusConsole console, ProgressDisplay display) {
        this.results = results;
        this.console = console;
        this.display = display;
    }

    @Override
    public void listening(int port) {
        // people give the address to the nodes themselves
    }

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
        results.print(line + "\n");
        results.flush();
    }

    @Override
    public void error(int exitCode, String message) {
        display.end();
        console.line(UsageErrors.PREFIX + message);
    }
}

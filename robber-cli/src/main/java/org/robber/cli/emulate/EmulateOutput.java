package org.robber.cli.emulate;

import java.io.PrintStream;
import org.robber.cli.replicate.ReplicateRequest.OutputFormat;
import org.robber.emulation.experiment.Findings;
import org.robber.emulation.experiment.Findings.Setting;
import org.robber.emulation.experiment.MeasuredRun;
import org.robber.emulation.report.JsonResults;

/** Prints results: for people as they come, for programs as one document at the end. */
public final class EmulateOutput {

    private final PrintStream out;
    private final OutputFormat format;

    public EmulateOutput(PrintStream out, OutputFormat format) {
        this.out = out;
        this.format = format;
    }

    void begin(Setting setting) {
        if (format == OutputFormat.TEXT) {
            print(new RunLines(setting).head());
        }
    }

    void run(Setting setting, MeasuredRun run) {
        if (format == OutputFormat.TEXT) {
            print(new RunLines(setting).line(run));
        }
    }

    void end(Findings findings) {
        print(format == OutputFormat.TEXT ? "\n" + SummaryLines.text(findings) : JsonResults.text(findings));
    }

    private void print(String text) {
        out.print(text);
        out.flush();
    }
}

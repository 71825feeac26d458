package org.robber.cli.emulate;

import java.io.PrintStream;
import org.robber.cli.report.OutputFormat;
import org.robber.emulation.experiment.Findings;
import org.robber.emulation.experiment.Findings.Setting;
import org.robber.emulation.experiment.MeasuredRun;
import org.robber.emulation.report.Detail;
import org.robber.emulation.report.JsonResults;

/** Prints results: for people as they come, for programs as one document at the end. */
public final class EmulateOutput {

    private final PrintStream out;
    private final OutputFormat format;
    private final Detail detail;

    /**
     * @param detail how much is told of each run, here and in reports; with figures alone, only the summary is printed
     */
    public EmulateOutput(PrintStream out, OutputFormat format, Detail detail) {
        this.out = out;
        this.format = format;
        this.detail = detail;
    }

    /** How much is told of each run. */
    Detail detail() {
        return detail;
    }

    private boolean showsRuns() {
        return format == OutputFormat.TEXT && detail == Detail.EVERY_NODE;
    }

    void begin(Setting setting) {
        if (showsRuns()) {
            print(new RunLines(setting).head());
        }
    }

    void run(Setting setting, MeasuredRun run) {
        if (showsRuns()) {
            print(new RunLines(setting).line(run));
        }
    }

    void end(Findings findings) {
        if (format == OutputFormat.TEXT) {
            print(showsRuns() ? "\n" + SummaryLines.text(findings) : SummaryLines.textWithProblems(findings));
        } else {
            print(JsonResults.text(findings, detail));
        }
    }

    private void print(String text) {
        out.print(text);
        out.flush();
    }
}

package org.robber.cli.emulate;

import java.io.PrintStream;
import java.util.function.Consumer;
import org.robber.cli.report.OutputFormat;
import org.robber.emulation.experiment.Findings;
import org.robber.emulation.experiment.Findings.Setting;
import org.robber.emulation.experiment.MeasuredRun;
import org.robber.emulation.experiment.RunPlan;
import org.robber.emulation.report.JsonResults;
import org.robber.emulation.runner.ExperimentListener;

/** Shows an experiment: progress, and results as lines of text as they come or as one JSON document at the end. */
public final class ExperimentConsole implements ExperimentListener {

    private final PrintStream out;
    private final OutputFormat format;
    private final EmulateProgress progress;
    private final Consumer<String> log;
    private boolean ended;

    /**
     * @param out where results go
     * @param log takes remarks for people
     */
    public ExperimentConsole(PrintStream out, OutputFormat format, EmulateProgress progress, Consumer<String> log) {
        this.out = out;
        this.format = format;
        this.progress = progress;
        this.log = log;
    }

    @Override
    public void begin(Setting setting, int recordedRuns) {
        printText(new RunLines(setting).head());
        progress.begin(setting.plannedRuns(), recordedRuns);
    }

    @Override
    public void started(RunPlan plan) {
        progress.started(plan);
    }

    @Override
    public void finished(RunPlan plan, MeasuredRun run) {
        progress.finished(plan, run);
    }

    @Override
    public void result(Setting setting, MeasuredRun run) {
        printText(new RunLines(setting).line(run));
    }

    @Override
    public void end(Findings findings) {
        ended = true;
        progress.end();
        printText("\n" + SummaryLines.text(findings));
        if (format == OutputFormat.JSON) {
            print(JsonResults.text(findings));
        }
    }

    /** Whether the results have been shown; only once the experiment has ended. */
    public boolean hasEnded() {
        return ended;
    }

    @Override
    public void remark(String line) {
        log.accept(line);
    }

    private void printText(String text) {
        if (format == OutputFormat.TEXT) {
            print(text);
        }
    }

    private void print(String text) {
        progress.above(() -> {
            out.print(text);
            out.flush();
        });
    }
}

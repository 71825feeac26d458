package org.robber.cli.option;

import java.io.PrintStream;
import org.jspecify.annotations.Nullable;
import org.robber.cli.log.LogSetup;
import org.robber.cli.log.LogSetup.Detail;
import org.robber.cli.node.ConsoleOutput;
import org.robber.cli.progress.ProgressDisplay;
import org.robber.cli.progress.ProgressMode;
import org.robber.cli.progress.StatusConsole;
import org.robber.cli.report.OutputFormat;
import picocli.CommandLine.Option;

/** How a command shows its result, its progress and its log. */
public final class DisplayOptions extends CheckedOptions {

    /** Name of the option for the form of the result. */
    public static final String OUTPUT = "--output";

    private static final int DEFAULT_COLUMNS = 80;

    @Option(
            names = {"-o", OUTPUT},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "Print the result as text or json. Default: ${DEFAULT-VALUE}.")
    private OutputFormat output = OutputFormat.TEXT;

    @Option(
            names = "--progress",
            paramLabel = "FORM",
            defaultValue = "auto",
            description = "Show progress as bar, plain, json or none. auto: bar on a terminal, else plain. Default:"
                    + " ${DEFAULT-VALUE}.")
    private ProgressMode progress = ProgressMode.AUTO;

    @Option(
            names = {"-v", "--verbose"},
            fallbackValue = "true",
            arity = "0",
            description = "Log each step, and print stack traces of errors.")
    private boolean verbose;

    @Option(
            names = {"-q", "--quiet"},
            fallbackValue = "true",
            arity = "0",
            description = "Print only errors and the result.")
    private boolean quiet;

    /** Decides between options that contradict one another, and sets how much is logged. */
    public void apply() {
        if (verbose && quiet) {
            verbose = firstCounts("-v", "-q");
            quiet = !verbose;
        }
        LogSetup.show(detail());
    }

    /** How much is logged. */
    public Detail detail() {
        return verbose ? Detail.VERBOSE : quiet ? Detail.QUIET : Detail.NORMAL;
    }

    /** How the result is printed. */
    public OutputFormat output() {
        return output;
    }

    /** How progress is shown; never {@link ProgressMode#AUTO}. */
    public ProgressMode progress() {
        if (progress != ProgressMode.AUTO) {
            return progress;
        }
        return quiet ? ProgressMode.NONE : columns() != null ? ProgressMode.BAR : ProgressMode.PLAIN;
    }

    /** The terminal of this process: results on standard output, everything else on standard error. */
    public ConsoleOutput console() {
        return console(System.out, progress());
    }

    /** The same for a program whose data go to standard output: results on standard error, too. */
    public ConsoleOutput consoleBesideData() {
        return console(System.err, progress());
    }

    /** The same, without progress. */
    public ConsoleOutput consoleWithoutProgress() {
        return console(System.out, ProgressMode.NONE);
    }

    private static ConsoleOutput console(PrintStream results, ProgressMode mode) {
        StatusConsole console = StatusConsole.standardError();
        ProgressDisplay display = new ProgressDisplay(console, mode, width(), System::nanoTime);
        return new ConsoleOutput(results, console, display);
    }

    /** Prints a remark for people to standard error. */
    public void say(String line) {
        if (!quiet) {
            StatusConsole.standardError().line("robber-cli: " + line);
        }
    }

    /** Width of the terminal in characters. */
    public static int width() {
        Integer columns = columns();
        return columns == null ? DEFAULT_COLUMNS : columns;
    }

    /** Width of the terminal that standard error is, by the launcher's script; null if it is none. */
    private static @Nullable Integer columns() {
        return Integer.getInteger("robber.cli.columns");
    }
}

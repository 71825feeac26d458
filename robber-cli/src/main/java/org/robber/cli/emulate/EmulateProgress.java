package org.robber.cli.emulate;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import java.util.function.LongSupplier;
import org.robber.cli.progress.ByteText;
import org.robber.cli.progress.ProgressMode;
import org.robber.cli.progress.StatusConsole;
import org.robber.emulation.experiment.MeasuredRun;
import org.robber.emulation.experiment.RunPlan;
import org.robber.emulation.json.JsonObjectWriter;
import org.robber.emulation.run.RunResult;

/** Shows the number of finished runs and the current run. Thread-safe. */
public final class EmulateProgress {

    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final int BAR = 20;

    private final StatusConsole console;
    private final ProgressMode mode;
    private final int columns;
    private final LongSupplier nanoClock;
    private final long startNanos;
    private final Timer clock = new Timer("progress", true);
    private final Set<RunPlan> underWay = new LinkedHashSet<>();

    private int planned;
    private int done;

    /**
     * @param mode how; {@link ProgressMode#AUTO} must have been decided
     * @param columns width of the terminal in characters; used by bars only
     * @param nanoClock a clock such as {@link System#nanoTime}
     */
    public EmulateProgress(StatusConsole console, ProgressMode mode, int columns, LongSupplier nanoClock) {
        this.console = console;
        this.mode = mode;
        this.columns = columns;
        this.nanoClock = nanoClock;
        this.startNanos = nanoClock.getAsLong();
    }

    /** Shows progress at intervals from now on. */
    synchronized void begin(int plannedRuns, int doneBefore) {
        planned = plannedRuns;
        done = doneBefore;
        if (mode != ProgressMode.NONE) {
            long everyMillis = mode == ProgressMode.BAR ? 500 : mode == ProgressMode.JSON ? 1000 : 3000;
            clock.schedule(task(this::show), everyMillis, everyMillis);
        }
    }

    /** Stops showing progress. */
    public synchronized void end() {
        clock.cancel();
        console.endStatus();
    }

    /** Prints results in place of the status line, which is drawn again below them. */
    synchronized void above(Runnable print) {
        console.eraseStatus();
        print.run();
    }

    synchronized void started(RunPlan plan) {
        underWay.add(plan);
    }

    synchronized void finished(RunPlan plan, MeasuredRun run) {
        underWay.remove(plan);
        done++;
        if (mode == ProgressMode.JSON) {
            console.line(json(run));
        }
    }

    synchronized void show() {
        if (done == planned) {
            return;
        }
        switch (mode) {
            case BAR -> console.status(cut(bar() + " " + facts()));
            case PLAIN -> console.line("robber-cli: " + facts());
            case JSON -> console.line(json());
            case AUTO, NONE -> {}
        }
    }

    private String bar() {
        int full = (int) ((long) BAR * done / planned);
        return "[" + "#".repeat(full) + ".".repeat(BAR - full) + "]";
    }

    /** A line that goes on in the next row could not be drawn over. */
    private String cut(String line) {
        return line.substring(0, Math.min(line.length(), Math.max(0, columns - 1)));
    }

    private String facts() {
        String first = underWay.stream().findFirst().map(RunPlan::toString).orElse("starting");
        return done + " of " + planned + (planned == 1 ? " run" : " runs") + " done, " + ByteText.time(seconds()) + ", "
                + first;
    }

    private String json() {
        return JsonObjectWriter.line(json -> {
            json.writeNumberProperty("schema", 1);
            json.writeStringProperty("type", "progress");
            json.writeNumberProperty("runs_done", done);
            json.writeNumberProperty("runs", planned);
            json.writeNumberProperty("seconds", seconds());
        });
    }

    private String json(MeasuredRun measured) {
        RunResult run = measured.run();
        return JsonObjectWriter.line(json -> {
            json.writeNumberProperty("schema", 1);
            json.writeStringProperty("type", "run");
            json.writeStringProperty("scenario", run.scenario().name());
            json.writeStringProperty("strategy", run.strategy());
            json.writeNumberProperty("seed", run.seed());
            json.writeStringProperty("status", measured.status().name().toLowerCase(Locale.ROOT));
            json.writeNumberProperty("runs_done", done);
            json.writeNumberProperty("runs", planned);
        });
    }

    private long seconds() {
        return (nanoClock.getAsLong() - startNanos) / NANOS_PER_SECOND;
    }

    private static TimerTask task(Runnable work) {
        return new TimerTask() {
            @Override
            public void run() {
                work.run();
            }
        };
    }
}

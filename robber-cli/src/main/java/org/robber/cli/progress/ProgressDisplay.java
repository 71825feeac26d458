package org.robber.cli.progress;

import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.robber.JobControl.JobProgress;

/** Shows how far a job is. Thread-safe. */
public final class ProgressDisplay {

    private static final long UNKNOWN = -1;
    private static final int SMALLEST_BAR = 10;
    private static final int LARGEST_BAR = 40;

    private final StatusConsole console;
    private final ProgressMode mode;
    private final int columns;
    private final LongSupplier nanoClock;
    private final RateMeter rate = new RateMeter();

    private @Nullable JobProgress last;
    private long lastShownNanos;
    private boolean lastIsShown;

    /**
     * @param mode how; {@link ProgressMode#AUTO} must have been decided
     * @param columns width of the terminal in characters; used by bars only
     * @param nanoClock a clock such as {@link System#nanoTime}
     */
    public ProgressDisplay(StatusConsole console, ProgressMode mode, int columns, LongSupplier nanoClock) {
        this.console = console;
        this.mode = mode;
        this.columns = columns;
        this.nanoClock = nanoClock;
        this.lastShownNanos = nanoClock.getAsLong();
    }

    /** The transfer begins now: programs that watch this one are told at once, people soon enough. */
    public synchronized void start(long bytesTotal) {
        rate.record(nanoClock.getAsLong(), 0);
        if (mode == ProgressMode.JSON) {
            console.line("{\"schema\":1,\"type\":\"started\",\"bytes_total\":" + total(bytesTotal) + "}");
        }
    }

    /** The job is this far; shown if it is time to. */
    public synchronized void update(JobProgress progress) {
        long now = nanoClock.getAsLong();
        rate.record(now, progress.bytesDone());
        last = progress;
        lastIsShown = false;
        if (now - lastShownNanos >= intervalNanos()) {
            show(progress, now);
        }
    }

    /** The job goes on without this node: programs that watch this one are told, people read it in the log. */
    public synchronized void lost(int rank) {
        if (mode == ProgressMode.JSON) {
            console.line("{\"schema\":1,\"type\":\"lost\",\"rank\":" + rank + "}");
        }
    }

    /** The job has come to its end: shows the last state, if it has not been shown. */
    public synchronized void end() {
        if (last != null && !lastIsShown) {
            show(last, nanoClock.getAsLong());
        }
        console.endStatus();
    }

    private void show(JobProgress progress, long now) {
        switch (mode) {
            case BAR -> console.status(bar(progress));
            case PLAIN -> console.line("robber-cli: " + facts(progress));
            case JSON -> console.line(json(progress));
            case AUTO, NONE -> {}
        }
        lastShownNanos = now;
        lastIsShown = true;
    }

    private long intervalNanos() {
        return switch (mode) {
            case BAR -> 100_000_000L;
            case JSON -> 1_000_000_000L;
            default -> 3_000_000_000L;
        };
    }

    private String bar(JobProgress progress) {
        String facts = facts(progress);
        if (progress.bytesTotal() == JobProgress.UNKNOWN) {
            return facts.substring(0, Math.min(facts.length(), Math.max(0, columns - 1)));
        }
        int length = Math.min(LARGEST_BAR, columns - facts.length() - 4);
        if (length < SMALLEST_BAR) {
            return facts.substring(0, Math.min(facts.length(), Math.max(0, columns - 1)));
        }
        int full = (int) (length * share(progress));
        return "[" + "#".repeat(full) + ".".repeat(length - full) + "] " + facts;
    }

    private String facts(JobProgress progress) {
        if (progress.bytesTotal() == JobProgress.UNKNOWN) {
            return String.format(
                    Locale.ROOT,
                    "%8s so far  %10s  to %d %s",
                    ByteText.bytes(progress.bytesDone()),
                    ByteText.rate(rate.bytesPerSecond()),
                    progress.nodes(),
                    progress.nodes() == 1 ? "node" : "nodes");
        }
        long left = secondsLeft(progress);
        return String.format(
                Locale.ROOT,
                "%3d%%  %8s of %s  %10s  %5s left  %d/%d nodes done",
                (int) (100 * share(progress)),
                ByteText.bytes(progress.bytesDone()),
                ByteText.bytes(progress.bytesTotal()),
                ByteText.rate(rate.bytesPerSecond()),
                left == UNKNOWN ? "-:--" : ByteText.time(left),
                progress.nodesDone(),
                progress.nodes());
    }

    private String json(JobProgress progress) {
        long left = secondsLeft(progress);
        return String.format(
                Locale.ROOT,
                "{\"schema\":1,\"type\":\"progress\",\"bytes_done\":%d,\"bytes_total\":%s,\"bytes_per_second\":%d,"
                        + "\"seconds_left\":%s,\"nodes_done\":%d,\"nodes\":%d}",
                progress.bytesDone(),
                total(progress.bytesTotal()),
                Math.round(rate.bytesPerSecond()),
                left == UNKNOWN ? "null" : Long.toString(left),
                progress.nodesDone(),
                progress.nodes());
    }

    private static String total(long bytes) {
        return bytes == JobProgress.UNKNOWN ? "null" : Long.toString(bytes);
    }

    private long secondsLeft(JobProgress progress) {
        if (progress.bytesTotal() == JobProgress.UNKNOWN) {
            return UNKNOWN;
        }
        long missing = progress.bytesTotal() - progress.bytesDone();
        double bytesPerSecond = rate.bytesPerSecond();
        if (missing <= 0) {
            return 0;
        }
        return bytesPerSecond <= 0 ? UNKNOWN : (long) Math.ceil(missing / bytesPerSecond);
    }

    /** How much of the whole is done, 0..1; never 1 before everything is. */
    private static double share(JobProgress progress) {
        if (progress.bytesTotal() == 0) {
            return progress.nodesDone() >= progress.nodes() ? 1 : 0;
        }
        return Math.min(1, (double) progress.bytesDone() / progress.bytesTotal());
    }
}

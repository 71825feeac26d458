package org.robber.cli.metrics;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.robber.cli.report.FileFailure;
import org.robber.cli.report.ReportFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes metrics to a file once a second, and at the end. A reader finds the old text or the new one, as a whole. */
final class MetricsFile implements Metrics {
    private static final Logger LOG = LoggerFactory.getLogger(MetricsFile.class);
    private static final long PERIOD_MILLIS = 1000;
    private static final long END_MILLIS = 2000;

    private final Path file;
    private final Supplier<String> text;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            new ThreadFactoryBuilder().setNameFormat("metrics").setDaemon(true).build());

    private boolean failed;

    private MetricsFile(Path file, Supplier<String> text) {
        this.file = file;
        this.text = text;
    }

    /** Writes the first text, and goes on; an {@link IOException} says why that can't be. */
    static MetricsFile start(Path file, Supplier<String> text) throws IOException {
        ReportFile.check(file);
        ReportFile.write(file, text.get());
        MetricsFile metrics = new MetricsFile(file, text);
        var unused = metrics.thread.scheduleWithFixedDelay(
                metrics::write, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        return metrics;
    }

    /** A job does not fail because its metrics cannot be written any more, and says so once. */
    private void write() {
        try {
            ReportFile.write(file, text.get());
            failed = false;
        } catch (IOException e) {
            if (!failed) {
                LOG.warn("the metrics cannot be written to {}: {}", file, FileFailure.text(e));
            }
            failed = true;
        } catch (RuntimeException e) {
            // thrown further, it would end the schedule without a word
            if (!failed) {
                LOG.warn("the metrics cannot be written to {}", file, e);
            }
            failed = true;
        }
    }

    /** Writes the last text; waits for that not longer than a disk that hangs is worth. */
    @Override
    public void close() {
        thread.execute(this::write);
        thread.shutdown();
        try {
            if (!thread.awaitTermination(END_MILLIS, TimeUnit.MILLISECONDS)) {
                LOG.warn("the last metrics were not written to {} within {} ms", file, END_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

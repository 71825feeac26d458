package org.robber.cli.request;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.metrics.MetricsPlace;
import org.robber.cli.report.AbsentNode;
import org.robber.cli.report.OutputFormat;

/**
 * What rank 0 says of a job.
 *
 * @param format how the result is printed
 * @param file where the report goes, as a page if its name ends so, else as JSON; or null
 * @param metrics where metrics are shown, or null
 * @param absent nodes that could not be started, for the report
 */
public record ReportTerms(
        OutputFormat format, @Nullable Path file, @Nullable MetricsPlace metrics, List<AbsentNode> absent) {
    public ReportTerms {
        absent = List.copyOf(absent);
    }

    /**
     * Looks whether the report or the metrics would be written over one of these sources.
     *
     * @throws RobberException with {@code USAGE}
     */
    public void checkApart(List<String> sources) {
        checkApart("--report", file, sources);
        checkApart("--metrics", metrics == null || metrics.isPort() ? null : metrics.file(), sources);
    }

    /** Whether the report would replace one of these sources. */
    boolean isOneOf(List<String> sources) {
        return file != null && sources.stream().anyMatch(source -> isSame(file, Path.of(source)));
    }

    private static void checkApart(String option, @Nullable Path written, List<String> sources) {
        for (String source : sources) {
            if (written != null && Files.isRegularFile(written) && isSame(written, Path.of(source))) {
                throw new RobberException(
                        Reason.USAGE,
                        List.of(0),
                        "prepare",
                        option + " would replace the source " + source + ": choose another file");
            }
        }
    }

    private static boolean isSame(Path written, Path source) {
        try {
            return Files.isSameFile(written, source);
        } catch (IOException e) {
            // Reading the source tells why.
            return false;
        }
    }

    /** The same without some nodes. */
    ReportTerms without(List<AbsentNode> newAbsent) {
        return new ReportTerms(format, file, metrics, newAbsent);
    }
}

package org.robber.cli.option;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.robber.cli.report.ReportFile;
import picocli.CommandLine.Option;

/** A file for the result. */
public final class ReportOption extends CheckedOptions {

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description =
                    "Write the result to this file as JSON, whatever -o says. Of replicate, with a name that ends with"
                            + " .html: as a page with charts of the transfer.")
    private @Nullable Path file;

    /** The file, or null. */
    public @Nullable Path file() {
        return file;
    }

    /** The same for a result that is no copy, and has no page. */
    public @Nullable Path jsonFile() {
        if (ReportFile.isPage(file)) {
            throw bad("--report: only copies have pages: use a name that does not end with .html");
        }
        return file;
    }

    /** Refuses what this process has open where rank 0 is another one, whose output comes here for other purposes. */
    public void checkNotOpen() {
        checkNotOpen(this, "--report", file, "use -o json");
    }

    static void checkNotOpen(CheckedOptions options, String option, @Nullable Path file, String advice) {
        if (file != null && ReportFile.isOpen(file)) {
            throw options.bad(
                    option + "=" + file + " is another file in the process of rank 0, with --local or -w: " + advice);
        }
    }
}

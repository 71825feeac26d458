package org.robber.cli.option;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A file for the result. */
public final class ReportOption {

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Write the result as JSON to this file, whatever -o says.")
    private @Nullable Path file;

    /** The file, or null. */
    public @Nullable Path file() {
        return file;
    }
}

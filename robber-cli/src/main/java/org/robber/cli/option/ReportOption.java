package org.robber.cli.option;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.robber.cli.report.ReportFile;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A file for the result. */
public final class ReportOption {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

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

    /** The same for a command that makes no pages. */
    public @Nullable Path jsonFile() {
        if (ReportFile.isPage(file)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--report: only replicate makes pages: use a name that does not end with .html");
        }
        return file;
    }
}

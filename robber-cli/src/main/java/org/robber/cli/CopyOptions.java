package org.robber.cli;

import org.jspecify.annotations.Nullable;
import org.robber.cli.replicate.ReplicateRequest.OutputFormat;
import picocli.CommandLine.Option;

/** Options of commands about the copies of all nodes: whose copies, and how the result is shown. */
final class CopyOptions {

    /** In lists of options: before those that have no order of their own. */
    private static final int FIRST = -2;

    @Option(
            names = "--local",
            order = FIRST,
            paramLabel = "CxN",
            converter = LocalShape.Converter.class,
            description = "All nodes are on this machine, C clusters of N; each has its own folder in DEST.")
    private @Nullable LocalShape local;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "Print the result as text (default) or json.")
    private OutputFormat output = OutputFormat.TEXT;

    /** The nodes, if they are all on this machine, or null. */
    @Nullable
    LocalShape local() {
        return local;
    }

    OutputFormat output() {
        return output;
    }
}

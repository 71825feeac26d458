package org.robber.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.robber.cli.replicate.ReplicateRequest.OutputFormat;
import org.robber.transport.storage.CopyRecords;
import picocli.CommandLine.Option;

/** Options of commands that make copies or look at them: whose copies, what is kept of them, and how the result is shown. */
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
            names = "--secret-file",
            paramLabel = "FILE",
            description = "What all nodes of the job know, and nobody else.")
    private @Nullable Path secretFile;

    @Option(
            names = "--state-dir",
            paramLabel = "DIR",
            description = "Keeps what copies consist of. Default: ~/.local/state/robber.")
    private @Nullable Path stateFolder;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "Print the result as text (default) or json.")
    private OutputFormat output = OutputFormat.TEXT;

    @Option(
            names = {"-v", "--verbose"},
            fallbackValue = "true",
            arity = "0",
            description = "Say more.")
    private boolean verbose;

    /** The nodes, if they are all on this machine, or null. */
    @Nullable
    LocalShape local() {
        return local;
    }

    @Nullable
    Path secretFile() {
        return secretFile;
    }

    /** The folder that was chosen, or the usual one. */
    Path stateFolder() {
        return stateFolder == null
                ? CopyRecords.defaultFolder(System.getenv(), System.getProperty("user.home"))
                : stateFolder.toAbsolutePath();
    }

    OutputFormat output() {
        return output;
    }

    boolean verbose() {
        return verbose;
    }
}

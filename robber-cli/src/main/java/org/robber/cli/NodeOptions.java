package org.robber.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.robber.transport.storage.CopyRecords;
import picocli.CommandLine.Option;

/** Options of every process that makes copies or looks at them: what it proves itself by, what it keeps, and how much it says. */
final class NodeOptions {

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
            names = {"-v", "--verbose"},
            fallbackValue = "true",
            arity = "0",
            description = "Say more.")
    private boolean verbose;

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

    boolean verbose() {
        return verbose;
    }
}

package org.robber.cli.option;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.robber.transport.launch.UserHome;
import org.robber.transport.storage.record.CopyRecords;
import picocli.CommandLine.Option;

/** Where records of complete copies are kept. */
public final class StateOption {

    @Option(
            names = "--state-dir",
            paramLabel = "DIR",
            description = "Where to keep the checksums that 'verify' compares with. Default: ~/.local/state/robber.")
    private @Nullable Path folder;

    /** The folder that was chosen, or null. */
    public @Nullable Path chosen() {
        return folder == null ? null : folder.toAbsolutePath();
    }

    /** The folder that was chosen, or the usual one. */
    public Path folder() {
        return folder == null ? CopyRecords.defaultFolder(System.getenv(), UserHome.path()) : folder.toAbsolutePath();
    }
}

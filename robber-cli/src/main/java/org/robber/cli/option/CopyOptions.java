package org.robber.cli.option;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.robber.cli.request.CopyRules;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What each node does with the copy that it has or makes. */
public final class CopyOptions {

    @Mixin
    private ReceiveOptions intake = new ReceiveOptions();

    @Option(
            names = {"-c", "--checksum"},
            fallbackValue = "true",
            arity = "0",
            description = "Compare the bytes of files that have the size and time of an earlier copy, too.")
    private boolean checksum;

    @Option(
            names = "--fsync",
            fallbackValue = "true",
            arity = "0",
            description = "Copies are on the disk before the job says that they are complete.")
    private boolean fsync;

    public long memoryBytes() {
        return intake.memoryBytes();
    }

    /**
     * What the options say.
     *
     * @param stateFolder where to keep records of complete copies, or null for nowhere
     */
    public CopyRules rules(@Nullable Path stateFolder) {
        return new CopyRules(intake.restart(), checksum, fsync, stateFolder);
    }
}

package org.robber.cli.option;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Names the file with values of options. It is read before the options are: see {@link ConfigFile}. */
public final class ConfigOption {

    /** Its name. */
    static final String NAME = "--config";

    @Option(
            names = NAME,
            paramLabel = "FILE",
            description = "File with values of options, 'piece-size = 1M' in a line. Default: ~/.config/robber/config.")
    private @Nullable Path file;

    /** The file, or null. */
    public @Nullable Path file() {
        return file;
    }
}

package org.robber.cli.option;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.robber.cli.request.TimeLimit;
import picocli.CommandLine.Option;

/** By when the command must have ended. */
public final class DeadlineOption {

    @Option(
            names = "--deadline",
            paramLabel = "TIME",
            converter = DurationText.class,
            description = "Stop after 90s, 5m, 2h ...; complete copies are kept. Default: never.")
    private @Nullable Duration deadline;

    /** The time limit, which counts from now, or null. */
    public @Nullable TimeLimit fromNow() {
        return deadline == null ? null : TimeLimit.in(deadline, System::nanoTime);
    }
}

package org.robber.cli;

import java.util.List;
import org.robber.RobberException;
import org.robber.RobberException.Reason;
import org.robber.cli.progress.StatusConsole;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows a failure of this process in one line. The log has its stack trace, for users that ask for it by {@code -v}. */
final class ErrorLines {
    static final String PREFIX = "robber-cli: error: ";

    private static final Logger LOG = LoggerFactory.getLogger(ErrorLines.class);

    private ErrorLines() {}

    /** Shows the failure; returns the exit code that it stands for. */
    static int show(StatusConsole console, Throwable problem) {
        LOG.debug("failed", problem);
        RobberException failure = failure(problem);
        console.line(PREFIX + failure.getMessage());
        return failure.reason().exitCode();
    }

    /** The failure that anything thrown stands for. */
    static RobberException failure(Throwable problem) {
        return problem instanceof RobberException failure
                ? failure
                : new RobberException(
                        Reason.INTERNAL,
                        List.of(),
                        "run",
                        "internal error (please report it): " + problem + " (use -v to see where)",
                        problem);
    }
}

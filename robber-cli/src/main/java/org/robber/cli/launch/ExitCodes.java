package org.robber.cli.launch;

import java.util.Comparator;
import java.util.List;
import org.robber.RobberException.Reason;

/** Which of several exit codes says most about what went wrong. */
final class ExitCodes {

    /**
     * Causes before consequences: a full disk at one node makes the others lose a connection, never the other way round.
     */
    private static final List<Reason> MOST_TELLING_FIRST = List.of(
            Reason.USAGE,
            Reason.SOURCE,
            Reason.AUTHENTICATION,
            Reason.DESTINATION,
            Reason.SOURCE_CHANGED,
            Reason.INTEGRITY,
            Reason.DEADLINE,
            Reason.TOO_FEW_NODES,
            Reason.INTERNAL,
            Reason.PARTIAL,
            Reason.NETWORK,
            Reason.INTERRUPTED);

    private ExitCodes() {}

    /** The most telling of these; 0 only if all are, or there are none. */
    static int mostTelling(List<Integer> exitCodes) {
        return exitCodes.stream()
                .filter(code -> code != 0)
                .min(Comparator.comparing(ExitCodes::rankOf))
                .orElse(0);
    }

    /** The place of a code other than 0: smaller is more telling. */
    static int rankOf(int exitCode) {
        return MOST_TELLING_FIRST.indexOf(Reason.ofExitCode(exitCode));
    }
}

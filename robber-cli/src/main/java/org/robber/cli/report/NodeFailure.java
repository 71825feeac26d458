package org.robber.cli.report;

import org.robber.RobberException;
import org.robber.RobberException.Reason;

/**
 * Why a node is not complete.
 *
 * @param reason what kind of failure
 * @param phase what the job was doing
 * @param message for people
 */
public record NodeFailure(Reason reason, String phase, String message) {

    private static final String IN_DOUBT = "; whether its copy is in place is not known";

    /** The failure that ended a node, or the job. */
    public static NodeFailure of(RobberException failure) {
        return new NodeFailure(failure.reason(), failure.phase(), String.valueOf(failure.getMessage()));
    }

    /** The same, if it is not known whether the node had put its copy in place before. */
    public NodeFailure inDoubt() {
        return new NodeFailure(reason, phase, message + IN_DOUBT);
    }

    /** Whether the node may have put its copy in place nevertheless. */
    boolean isInDoubt() {
        return message.endsWith(IN_DOUBT);
    }
}

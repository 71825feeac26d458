package org.robber.cli.request;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

/**
 * The reaction of a job to the loss of nodes other than rank 0.
 *
 * @param onFailure whether the others go on
 * @param minSuccess how many nodes must be left for that, or null if the root and any other are enough
 */
public record LossPolicy(OnFailure onFailure, @Nullable MinSuccess minSuccess) {

    /** The reaction to a lost node. */
    public enum OnFailure {
        /** All others complete. */
        CONTINUE,
        /** The job ends for all. */
        ABORT
    }

    /** Whether the others go on. */
    public boolean goesOn() {
        return onFailure == OnFailure.CONTINUE;
    }

    /** How many nodes of a job of this size must be left for it to go on: the root and any other, or more. */
    public int fewest(int size) {
        return Math.max(wanted(size), Math.min(size, 2));
    }

    /** How many nodes of a job of this size must be complete in the end for it to be of use. */
    public int wanted(int size) {
        return minSuccess == null ? 1 : minSuccess.nodes(size);
    }

    /**
     * Refuses to ask for more nodes than there are.
     *
     * @throws RobberException with {@code USAGE}
     */
    public void check(int size) {
        if (minSuccess != null && minSuccess.nodes(size) > size) {
            throw new RobberException(
                    Reason.USAGE,
                    List.of(),
                    "launch",
                    "--min-success=" + minSuccess + " asks for more than the " + size + " nodes that there are");
        }
    }
}

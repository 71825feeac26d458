package org.robber.transport.collective.data;

import java.io.IOException;
import java.util.List;
import org.robber.RobberException;
import org.robber.RobberException.Reason;

/** A storage of the user could not be read or written. It does not know the call, so the code that runs the call names it. */
public final class StorageFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    public StorageFailure(Reason reason, IOException problem) {
        super(why(problem), problem);
        this.reason = reason;
    }

    /** Some, as that of a closed file, have no message. */
    private static String why(IOException problem) {
        return problem.getMessage() == null ? problem.toString() : problem.getMessage();
    }

    /** Data that the user brings cannot be read for an exchange. It adds the rank and the call. */
    public static RobberException ofSource(IOException problem) {
        return new RobberException(Reason.SOURCE, List.of(), "read", String.valueOf(problem), problem);
    }

    /**
     * The failure for the user.
     *
     * @param who the node of this rank, for people
     */
    public RobberException during(String call, int worldRank, String who) {
        return new RobberException(
                reason, List.of(worldRank), call, who + " failed during '" + call + "': " + getMessage(), this);
    }
}

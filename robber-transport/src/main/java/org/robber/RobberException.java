package org.robber;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why a job, or a part of it, failed: names what went wrong, with which nodes, and in which phase. */
public final class RobberException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The kinds of failures, with the exit code that the command line gives for each. */
    public enum Reason {
        /** A defect of Robber itself. */
        INTERNAL(1),
        /** Wrong use: options, or calls that do not match across the nodes. */
        USAGE(2),
        /** The source is missing or unreadable. */
        SOURCE(3),
        /** Too few nodes came. */
        TOO_FEW_NODES(4),
        /** The network, or a node, failed. */
        NETWORK(5),
        /** The destination cannot be written: space, permission, a device's error. */
        DESTINATION(6),
        /** Bytes did not match their digest and could not be had from anyone else. */
        INTEGRITY(7),
        /** The other side could not prove the shared secret, or we could not. */
        AUTHENTICATION(8),
        /** Some nodes have everything, some failed. */
        PARTIAL(23),
        /** The source changed while it was read. */
        SOURCE_CHANGED(24),
        /** The deadline has passed. */
        DEADLINE(30),
        /** A user or the system asked the process to stop. */
        INTERRUPTED(130);

        private final int exitCode;

        Reason(int exitCode) {
            this.exitCode = exitCode;
        }

        /** The exit code of the command line, also this reason's number on the wire. */
        public int exitCode() {
            return exitCode;
        }

        /** The reason with this exit code; {@link #INTERNAL} for any other number. */
        public static Reason ofExitCode(int exitCode) {
            for (Reason reason : values()) {
                if (reason.exitCode == exitCode) {
                    return reason;
                }
            }
            return INTERNAL;
        }
    }

    private final Reason reason;

    @SuppressWarnings("serial") // List.copyOf gives lists that are serializable
    private final List<Integer> ranks;

    private final String phase;

    /**
     * @param reason what kind of failure
     * @param ranks the nodes it is about, the one at fault first; empty if none can be named
     * @param phase what they were doing: such as {@code connect}, {@code multicast 3}, {@code scan}
     * @param message what happened and what to do about it, for people
     */
    public RobberException(
            Reason reason, List<Integer> ranks, String phase, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
        this.ranks = List.copyOf(ranks);
        this.phase = phase;
    }

    public RobberException(Reason reason, List<Integer> ranks, String phase, String message) {
        this(reason, ranks, phase, message, null);
    }

    /** What kind of failure. */
    public Reason reason() {
        return reason;
    }

    /** The nodes it is about, the one at fault first; empty if none can be named. */
    public List<Integer> ranks() {
        return ranks;
    }

    /** What the nodes were doing. */
    public String phase() {
        return phase;
    }
}

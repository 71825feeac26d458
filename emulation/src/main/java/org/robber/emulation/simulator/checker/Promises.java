package org.robber.emulation.simulator.checker;

import static com.google.common.base.Preconditions.checkArgument;

import org.robber.core.transfer.Requests;

/**
 * What a strategy promises while nothing goes wrong.
 *
 * @param requestsPerPeer requests outstanding at one peer, at most
 * @param requestsPerPiece peers that a node has asked for the same piece at a time, at most
 * @param copiesPerCluster how often a piece enters a cluster, at most
 * @param sparePieces pieces that enter one cluster more often than that, in all
 * @param dividesWork whether clusters divide what they lack among their members, and a node requests outside only what is
 *     its own work
 */
public record Promises(
        int requestsPerPeer, int requestsPerPiece, int copiesPerCluster, int sparePieces, boolean dividesWork) {
    /** For strategies that promise nothing but to bring every piece to everybody. */
    public static final Promises NONE =
            new Promises(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, false);

    public Promises {
        checkArgument(requestsPerPeer >= 1, "requestsPerPeer: %s", requestsPerPeer);
        checkArgument(requestsPerPiece >= 1, "requestsPerPiece: %s", requestsPerPiece);
        checkArgument(copiesPerCluster >= 1, "copiesPerCluster: %s", copiesPerCluster);
        checkArgument(sparePieces >= 0, "sparePieces: %s", sparePieces);
    }

    /**
     * What a strategy promises; {@link #NONE} if it isn't known here.
     *
     * @param strategy its name, with the options behind it, such as {@code robber:published}
     * @param requestWindow the number of requests per peer that nodes are told
     */
    public static Promises of(String strategy, int requestWindow) {
        return switch (strategy) {
            case "robber", "mob" -> new Promises(Math.max(requestWindow, Requests.LARGEST_PACED_LIMIT), 1, 1, 0, true);
            case "robber:published", "mob:published" -> new Promises(requestWindow, 1, 1, 0, true);
            default -> NONE;
        };
    }

    /** Whether a node never gets a piece that it has. */
    boolean storesOnce() {
        return requestsPerPiece == 1 && dividesWork;
    }

    /** What is left of it when nodes join: these have no share of the work, and ask as {@code mob} does. */
    public Promises withJoiners() {
        return new Promises(
                Math.max(requestsPerPeer, Requests.LARGEST_PACED_LIMIT),
                requestsPerPiece,
                copiesPerCluster,
                sparePieces,
                false);
    }

    /** What is left of it when things go wrong: pieces are asked for again, and work is done twice. */
    public Promises underFaults() {
        return new Promises(requestsPerPeer, requestsPerPiece, Integer.MAX_VALUE, Integer.MAX_VALUE, false);
    }
}

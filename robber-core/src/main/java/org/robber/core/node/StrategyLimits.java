package org.robber.core.node;

import static com.google.common.base.Preconditions.checkArgument;

import org.jspecify.annotations.Nullable;
import org.robber.core.topology.WorkDivision;
import org.robber.core.tuning.Tuning;

/**
 * The limits that a strategy keeps while nothing goes wrong. The simulator checks them in every run.
 *
 * @param requestsPerPeer requests that a node has outstanding at one peer, at most
 * @param requestsPerPiece peers that a node has asked for the same piece at a time, at most
 * @param copiesPerCluster how often a piece enters a cluster from outside, at most
 * @param storesOnce whether no node is ever sent a piece that it has
 * @param division how clusters divide what they lack among their members, where a node requests outside only what is its own
 *     work; null if they do not
 */
public record StrategyLimits(
        int requestsPerPeer,
        int requestsPerPiece,
        int copiesPerCluster,
        boolean storesOnce,
        @Nullable WorkDivision division) {
    /** No limit. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    /** No limits: the strategy only brings every piece to every node. */
    public static final StrategyLimits NONE = new StrategyLimits(UNLIMITED, UNLIMITED, UNLIMITED, false, null);

    public StrategyLimits {
        checkArgument(requestsPerPeer >= 1, "requestsPerPeer: %s", requestsPerPeer);
        checkArgument(requestsPerPiece >= 1, "requestsPerPiece: %s", requestsPerPiece);
        checkArgument(copiesPerCluster >= 1, "copiesPerCluster: %s", copiesPerCluster);
    }

    /**
     * The limits of a strategy that requests a piece of one peer at a time.
     *
     * @param requestsPerPeer requests that a node has outstanding at one peer, at most
     * @param copiesPerCluster how often a piece enters a cluster from outside, at most
     */
    public static StrategyLimits ofOneSourceAPiece(int requestsPerPeer, int copiesPerCluster) {
        return new StrategyLimits(requestsPerPeer, 1, copiesPerCluster, true, null);
    }

    /** The limits of a strategy that requests a piece of one peer at a time, and whose clusters divide their work. So each piece enters a cluster once. */
    public static StrategyLimits ofDividedWork(int requestsPerPeer, WorkDivision division) {
        return new StrategyLimits(requestsPerPeer, 1, 1, true, division);
    }

    /** The limits while nodes join. A joiner has no share of the work and requests pieces in its own cluster alone. */
    public StrategyLimits withJoiners() {
        return new StrategyLimits(
                Math.max(requestsPerPeer, Tuning.LARGEST_REQUEST_WINDOW),
                requestsPerPiece,
                copiesPerCluster,
                false,
                null);
    }

    /** The limits under faults: pieces are requested again, and work may be done twice. */
    public StrategyLimits underFaults() {
        return new StrategyLimits(requestsPerPeer, requestsPerPiece, UNLIMITED, false, null);
    }
}

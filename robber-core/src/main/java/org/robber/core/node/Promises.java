package org.robber.core.node;

import static com.google.common.base.Preconditions.checkArgument;

import org.jspecify.annotations.Nullable;
import org.robber.core.topology.WorkDivision;

/**
 * What a strategy promises while nothing goes wrong. The simulator holds every run to it.
 *
 * @param requestsPerPeer requests that a node has outstanding at one peer, at most
 * @param requestsPerPiece peers that a node has asked for the same piece at a time, at most
 * @param copiesPerCluster how often a piece enters a cluster from outside, at most
 * @param storesOnce whether no node is ever sent a piece that it has
 * @param division how clusters divide what they lack among their members, where a node requests outside only what is its own
 *     work; null if they do not
 */
public record Promises(
        int requestsPerPeer,
        int requestsPerPiece,
        int copiesPerCluster,
        boolean storesOnce,
        @Nullable WorkDivision division) {
    /** As many as anybody likes. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    /** Nothing but to bring every piece to everybody. */
    public static final Promises NONE = new Promises(UNLIMITED, UNLIMITED, UNLIMITED, false, null);

    public Promises {
        checkArgument(requestsPerPeer >= 1, "requestsPerPeer: %s", requestsPerPeer);
        checkArgument(requestsPerPiece >= 1, "requestsPerPiece: %s", requestsPerPiece);
        checkArgument(copiesPerCluster >= 1, "copiesPerCluster: %s", copiesPerCluster);
    }

    /**
     * Of one who asks nobody for a piece that it has asked somebody else for.
     *
     * @param requestsPerPeer requests that a node has outstanding at one peer, at most
     * @param copiesPerCluster how often a piece enters a cluster from outside, at most
     */
    public static Promises ofOneSourceAPiece(int requestsPerPeer, int copiesPerCluster) {
        return new Promises(requestsPerPeer, 1, copiesPerCluster, true, null);
    }

    /** The same, and clusters divide their work, so that each piece enters a cluster once. */
    public static Promises ofDividedWork(int requestsPerPeer, WorkDivision division) {
        return new Promises(requestsPerPeer, 1, 1, true, division);
    }

    /**
     * What is left of it when nodes join that have no share of any plan, and ask their own cluster alone.
     *
     * @param requestsPerPeer requests that one that joins has outstanding at one peer, at most
     */
    public Promises withJoiners(int requestsPerPeer) {
        return new Promises(
                Math.max(this.requestsPerPeer, requestsPerPeer), requestsPerPiece, copiesPerCluster, false, null);
    }

    /** What is left of it when things go wrong: pieces are asked for again, and work is done twice. */
    public Promises underFaults() {
        return new Promises(requestsPerPeer, requestsPerPiece, UNLIMITED, false, null);
    }
}

package org.robber.core.protocol;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;

/**
 * The requests of one peer over one connection that this node has not answered. Their number is bounded, whatever the peer
 * sends: each of them takes memory until its piece has left. A driver keeps one such record for each connection and multicast.
 * Not thread-safe.
 */
public final class UnansweredRequests {
    /**
     * A peer that cancels a request, receives the answer that crossed its cancel, and has asked again by then counts one request where
     * two are unanswered. So each request that the strategy allows may be unanswered twice, and a repeated request alone is no breach.
     */
    private static final int UNANSWERED_PER_ALLOWED = 2;

    private final int limit;
    private final Multiset<Integer> pieces = HashMultiset.create();

    /**
     * No request was made.
     *
     * @param requestsPerPeer how many requests the strategy of the peer has outstanding at one node, at most; at least 1
     * @param pieceCount number of pieces of the data; no strategy needs more requests
     */
    public UnansweredRequests(int requestsPerPeer, int pieceCount) {
        checkArgument(requestsPerPeer >= 1, "requestsPerPeer: %s", requestsPerPeer);
        checkArgument(pieceCount >= 0, "pieceCount: %s", pieceCount);
        this.limit = (int) Math.min(
                Integer.MAX_VALUE, (long) UNANSWERED_PER_ALLOWED * Math.max(1, Math.min(requestsPerPeer, pieceCount)));
    }

    /** Number of requests that may be unanswered. */
    public int limit() {
        return limit;
    }

    /** Notes a request of the peer; returns false if it is one too many, which breaks the protocol. */
    public boolean requested(int piece) {
        pieces.add(piece);
        return pieces.size() <= limit;
    }

    /** Notes that a request needs no answer any more: the peer has cancelled it, or the refusal or the whole piece was sent. */
    public void settled(int piece) {
        boolean unused = pieces.remove(piece);
    }
}

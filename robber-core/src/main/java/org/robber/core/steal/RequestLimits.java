package org.robber.core.steal;

import org.robber.core.node.NodeSetup;
import org.robber.core.peer.Peer;
import org.robber.core.peer.PeerTable;
import org.robber.core.peer.RequestRateEstimator;
import org.robber.core.tuning.Tuning;

/**
 * How many requests may be outstanding at a peer. In the published style that number is fixed. In the adaptive style, the {@link
 * RequestRateEstimator} of the line says how many keep it busy, and the rules here bound that.
 */
final class RequestLimits {
    private final RequestStyle style;
    private final PieceLedger ledger;
    private final PeerTable peers;

    RequestLimits(NodeParts parts) {
        this.style = parts.style();
        this.ledger = parts.ledger();
        this.peers = parts.peers();
    }

    /** The piece came from the peer: the limit follows the rate of its answers. */
    void adapt(Peer peer, int piece, long nowNanos) {
        if (style == RequestStyle.ADAPTIVE) {
            peer.requests().adapt(piece, nowNanos, smallest(peer), Tuning.LARGEST_REQUEST_LIMIT);
        }
    }

    private int smallest(Peer peer) {
        if (peer.isLocal()) {
            return NodeSetup.PUBLISHED_REQUEST_WINDOW;
        }
        // To a peer that is done, no pieces go behind which a request would wait.
        boolean singleRequestSuffices = peer.end().isPeerDone()
                && peer.requests().isSlow()
                && peers.locals().size() >= Tuning.FEWEST_MATES_THAT_SHARE_A_LINE;
        return singleRequestSuffices ? Tuning.SMALLEST_LIMIT_OF_SLOW_LINE : Tuning.SMALLEST_REQUEST_LIMIT;
    }

    /**
     * Whether one more request may go to the peer. A pending piece cannot be asked of others or stolen. So when little is left, a peer has
     * no more than its part of an eighth of it, and the rest stays open to the peers that turn out to be faster.
     */
    boolean allowOneMore(Peer peer) {
        if (style == RequestStyle.PUBLISHED || peer.requests().size() < smallestBudget(peer)) {
            return peer.requests().hasRoom();
        }
        int lines = (peer.isLocal() ? peers.locals() : peers.globals()).size();
        return peer.requests().hasRoom()
                && peer.requests().size() < ledger.askableOf(peer).size() / Tuning.WORK_PER_REQUEST / lines;
    }

    private static int smallestBudget(Peer peer) {
        return peer.isLocal() ? NodeSetup.PUBLISHED_REQUEST_WINDOW : Tuning.SMALLEST_REQUEST_LIMIT;
    }
}

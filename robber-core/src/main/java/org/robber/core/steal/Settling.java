package org.robber.core.steal;

import org.robber.core.peer.Peer;
import org.robber.core.peer.PeerTable;

/**
 * How long a thief keeps its new work for itself: until it has requested some of it outside, or no peer offers any of it for now. If a
 * mate stole the work earlier, the first steal would have been useless.
 */
final class Settling {
    private final PieceLedger ledger;
    private final PeerTable peers;
    private final Requests requests;
    private long requestsBefore;

    Settling(NodeParts parts, Requests requests) {
        this.ledger = parts.ledger();
        this.peers = parts.peers();
        this.requests = requests;
    }

    /** New work has come. */
    void begin() {
        requestsBefore = requests.askedOutside();
    }

    /** Whether part of the new work was requested, or none is left to request, or the peers outside have answered. */
    boolean isOver() {
        return requests.askedOutside() > requestsBefore || ledger.ownWork().isEmpty() || haveOthersAnswered();
    }

    /**
     * Whether the peers outside have answered the last desire. A peer that owes pieces is not waited for once another one has answered: its
     * answer comes behind these pieces, and its line has enough to do. A peer that owes nothing is waited for.
     */
    private boolean haveOthersAnswered() {
        boolean hasOneAnswered = false;
        boolean isOneBusy = false;
        for (Peer peer : peers.globals()) {
            if (peer.mayBeAsked()) {
                boolean hasAnswered = peer.offers().hasAnsweredDesires();
                if (!hasAnswered && peer.requests().size() == 0) {
                    return false;
                }
                hasOneAnswered |= hasAnswered;
                isOneBusy |= !hasAnswered;
            }
        }
        return hasOneAnswered || !isOneBusy;
    }
}

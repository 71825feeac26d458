package org.robber.core.steal;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.robber.core.node.NodeSetup;
import org.robber.core.peer.Peer;
import org.robber.core.peer.PeerTable;
import org.robber.core.peer.WindowEstimator;
import org.robber.core.topology.DataPlacement;
import org.robber.core.tuning.Tuning;

/**
 * How many requests may be outstanding at a peer. In the published variant that number is fixed. In the improved variant, the {@link
 * WindowEstimator} of the line says how many keep it busy, and the rules here bound that.
 */
final class RequestWindows {
    private final StealingVariant variant;
    private final PieceLedger ledger;
    private final PeerTable peers;
    private final LineBudgets lines;
    private final Pace pace;

    /** Whether the pieces so far tell the node's share: not in a resumed copy, whose mates had other pieces at the start. */
    private final boolean hasShare;

    /** Whether a request was not made because of what is outstanding at other peers. */
    private boolean isHeldBack;

    RequestWindows(NodeParts parts) {
        this.lines = parts.lines();
        this.variant = parts.variant();
        this.ledger = parts.ledger();
        this.peers = parts.peers();
        this.pace = parts.pace();
        this.hasShare = hasShare(parts.setup());
    }

    private static boolean hasShare(NodeSetup setup) {
        DataPlacement placement = setup.placement();
        return placement.isWantedByAll()
                && setup.possession().size()
                        == placement.possessedBy(setup.rank()).size();
    }

    /** The piece came from the peer: the window follows the rate of its answers. */
    void adapt(Peer peer, int piece, long nowNanos) {
        if (variant == StealingVariant.IMPROVED) {
            peer.requests().adapt(piece, nowNanos, smallest(peer), Tuning.LARGEST_REQUEST_WINDOW);
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
        return singleRequestSuffices ? Tuning.SMALLEST_WINDOW_OF_SLOW_LINE : Tuning.SMALLEST_REQUEST_WINDOW;
    }

    /**
     * Whether one more request may go to the peer. A pending piece cannot be asked of others or stolen. So when little is left, an eighth of it is divided among the
     * connections, and the rest stays open to the peers that turn out to be faster.
     */
    boolean allowOneMore(Peer peer) {
        if (variant == StealingVariant.PUBLISHED || !peer.requests().hasRoom()) {
            return peer.requests().hasRoom();
        }
        int connections = (peer.isLocal() ? peers.locals() : peers.globals()).size();
        if (!needsMore(peer)
                && peer.requests().size() >= ledger.leftFor(peer) / Tuning.WORK_PER_REQUEST / connections) {
            return false;
        }
        boolean allowed = peer.isLocal() || comesInTime();
        isHeldBack |= !allowed;
        return allowed;
    }

    /** Whether requests that were held back because of others may be made now. */
    boolean hasReleased() {
        boolean hasReleased = isHeldBack && comesInTime();
        isHeldBack &= !hasReleased;
        return hasReleased;
    }

    /**
     * Whether what is outstanding in other clusters comes before the end, so that the node may request one more piece there. A node with a slow card has a
     * request at each of its peers, and their pieces share the card. So all would wait for them at the end. A node without mates brings everything itself.
     */
    private boolean comesInTime() {
        if (!hasShare || peers.locals().stream().allMatch(Peer::isLost)) {
            return true;
        }
        int outstanding = 0;
        for (Peer peer : peers.globals()) {
            outstanding += peer.requests().size();
        }
        return !pace.isLateWith(outstanding);
    }

    /** Whether one more request is needed to keep the connection, or its line, busy. */
    private boolean needsMore(Peer peer) {
        return peer.isLocal() ? peer.requests().size() < NodeSetup.PUBLISHED_REQUEST_WINDOW : lines.hasRoom(peer);
    }

    /** The peers that may be requested of once a request to this one has ended. */
    List<Peer> sharing(Peer peer) {
        return peer.isLocal() || !lines.hasRoom(peer) ? ImmutableList.of() : lines.sharing(peer);
    }
}

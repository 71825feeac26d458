package org.robber.core.steal;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.Multimaps;
import org.robber.core.node.NodeSetup;
import org.robber.core.peer.Peer;
import org.robber.core.peer.PeerTable;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.DataPlacement;
import org.robber.core.topology.Topology;
import org.robber.core.tuning.Tuning;

/**
 * How many requests keep the line from another cluster busy, at the least. Where nodes want different pieces, each is connected to all nodes
 * of the other cluster. All these connections share one line, and so do the mates. With a number for each connection, the queue of a slow line
 * would be so long that all wait for it at the end. In other calls, each connection has its own budget.
 */
final class LineBudgets {
    private final boolean areShared;
    private final Topology topology;
    private final PeerTable peers;

    /** The members of the own cluster that use lines: those that want pieces of other clusters, or all if none does. */
    private final int members;

    /** The peers in each other cluster. */
    private ImmutableListMultimap<Integer, Peer> lines = ImmutableListMultimap.of();

    LineBudgets(NodeSetup setup, StealingVariant variant, PeerTable peers) {
        this.topology = setup.topology();
        this.peers = peers;
        this.areShared = !setup.placement().isWantedByAll() && variant == StealingVariant.IMPROVED;
        this.members = areShared ? members(setup) : 1;
    }

    private static int members(NodeSetup setup) {
        DataPlacement placement = setup.placement();
        int cluster = setup.topology().clusterOf(setup.rank());
        PieceSet lacked = placement.lackedBy(cluster, setup.topology());
        int receivers = 0;
        for (int member : setup.topology().members(cluster)) {
            receivers += placement.wantsAnyOf(member, lacked) ? 1 : 0;
        }
        // They are relays.
        return receivers == 0 ? setup.topology().members(cluster).length : receivers;
    }

    /** The peers that share a line and its budget with this one, itself among them; none if each has its own. */
    ImmutableList<Peer> sharing(Peer peer) {
        if (!areShared) {
            return ImmutableList.of();
        }
        // Peers are only added, so their number tells whether there are new ones.
        if (lines.size() < peers.globals().size()) {
            lines = Multimaps.index(peers.globals(), each -> topology.clusterOf(each.rank()));
        }
        return lines.get(topology.clusterOf(peer.rank()));
    }

    /** How many requests are outstanding that share the budget of this peer. */
    int requests(Peer peer) {
        if (!areShared) {
            return peer.requests().size();
        }
        int requests = 0;
        for (Peer each : sharing(peer)) {
            requests += each.requests().size();
        }
        return requests;
    }

    /**
     * Whether these are less than the budget. A peer may have one request in any case: its card may be slower than the line. On a crowded
     * line, pieces of others fill the round trip that a second request would bridge. A long line needs more, since it is empty for a round trip otherwise.
     */
    boolean hasRoom(Peer peer) {
        int own = peer.requests().size();
        if (own == 0) {
            return true;
        }
        if (!areShared) {
            return !peer.requests().isCrowded()
                    && own < atLeastTwo(peer.requests().covering());
        }
        int requests = requests(peer);
        int share = Tuning.LINE_REQUESTS_PER_PEER * sharing(peer).size() / members;
        return requests < share || requests < atLeastTwo(covering(peer));
    }

    private double covering(Peer peer) {
        double covering = 0;
        for (Peer each : sharing(peer)) {
            covering += each.requests().covering();
        }
        return covering;
    }

    private static int atLeastTwo(double covering) {
        return Math.max(Tuning.SMALLEST_REQUEST_WINDOW, (int) covering);
    }
}

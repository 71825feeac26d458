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
 * would be so long that all wait for it at the end.
 */
final class LineBudgets {
    private final boolean areUsed;
    private final Topology topology;
    private final PeerTable peers;

    /** The members of the own cluster that want pieces of other clusters; at least 1. */
    private final int receivers;

    /** The peers in each other cluster. */
    private ImmutableListMultimap<Integer, Peer> lines = ImmutableListMultimap.of();

    LineBudgets(NodeParts parts) {
        NodeSetup setup = parts.setup();
        this.topology = setup.topology();
        this.peers = parts.peers();
        this.areUsed = !setup.placement().isWantedByAll() && parts.variant() == StealingVariant.IMPROVED;
        this.receivers = areUsed ? receivers(setup) : 1;
    }

    private static int receivers(NodeSetup setup) {
        DataPlacement placement = setup.placement();
        int cluster = setup.topology().clusterOf(setup.rank());
        PieceSet lacked = placement.lackedBy(cluster, setup.topology());
        int receivers = 0;
        for (int member : setup.topology().members(cluster)) {
            receivers += placement.wantedBy(member).countCommon(lacked) > 0 ? 1 : 0;
        }
        return Math.max(1, receivers);
    }

    /** Whether the connections of a line share a budget; otherwise each has its own. */
    boolean areUsed() {
        return areUsed;
    }

    /** The peers in the same other cluster as this one. */
    ImmutableList<Peer> line(Peer peer) {
        // No peer is ever removed.
        if (lines.size() < peers.globals().size()) {
            lines = Multimaps.index(peers.globals(), each -> topology.clusterOf(each.rank()));
        }
        return lines.get(topology.clusterOf(peer.rank()));
    }

    /** Whether less is requested over the peer's line than keeps it busy. */
    boolean hasRoom(Peer peer) {
        ImmutableList<Peer> line = line(peer);
        int requests = 0;
        for (Peer each : line) {
            requests += each.requests().size();
        }
        return requests
                < Math.max(Tuning.SMALLEST_REQUEST_WINDOW, Tuning.LINE_REQUESTS_PER_PEER * line.size() / receivers);
    }
}

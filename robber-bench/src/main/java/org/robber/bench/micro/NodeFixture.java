package org.robber.bench.micro;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.MulticastStrategy;
import org.robber.core.node.NodeSetup;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.strategy.Strategies;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;

/** One node of four clusters of four, all of whose peers are connected and whose driver is the benchmark. */
final class NodeFixture {
    private static final Topology TOPOLOGY = Topology.ofSizes(4, 4, 4, 4);
    private static final int ROOT = 0;
    /** Not in the root's cluster: it has work of its own, to do and to be robbed of. */
    private static final int RANK = 5;

    private static final long SEED = 20_131;
    private static final int PIECE_BYTES = 1 << 20;
    private static final MulticastStrategy ROBBER = Strategies.byName("robber");
    private static final Overlay OVERLAY = ROBBER.planOverlay(TOPOLOGY, SEED);

    private final MulticastNode node;
    private final Map<Integer, PieceSet> desires = new HashMap<>();

    /**
     * A node that has told all its peers what it desires of them.
     *
     * @param possession what it has at the start
     */
    NodeFixture(PieceSet possession) {
        node = ROBBER.createNode(new NodeSetup(
                RANK, TOPOLOGY, OVERLAY, ROOT, possession, SEED, NodeSetup.PUBLISHED_REQUEST_WINDOW, PIECE_BYTES));
        node.start(0);
        for (int peer : OVERLAY.peers(RANK)) {
            for (Action action : handle(new Event.PeerReady(peer))) {
                if (action instanceof Action.Send send && send.message() instanceof Message.Desire desire) {
                    desires.put(send.toRank(), desire.pieces());
                }
            }
        }
    }

    static int[] peers() {
        return OVERLAY.peers(RANK);
    }

    static int[] localPeers() {
        return OVERLAY.localPeers(RANK);
    }

    /** The pieces that the node has told this peer it wants. */
    PieceSet desireOf(int peer) {
        PieceSet desire = desires.get(peer);
        if (desire == null) {
            throw new IllegalStateException("nothing is desired of " + peer);
        }
        return desire;
    }

    /** Hands the node an event; time stands still. */
    List<Action> handle(Event event) {
        return node.handle(0, event);
    }
}

package org.robber.core.join;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Collections;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.NodeSetup;
import org.robber.core.piece.PieceSet;
import org.robber.core.steal.MobStrategy;
import org.robber.core.topology.Overlay;
import org.robber.core.topology.Topology;
import org.robber.core.tuning.Tuning;

/**
 * The machine of a node that joins a multicast, whatever the strategy of the others: it requests any piece that its
 * peers have, a few at a time, and turns to other peers if one stalls or is lost. It owns no work, steals none, and sends no pieces.
 * The driver chooses its peers: nodes of its own cluster as long as one of them lives.
 */
public final class JoiningNode {
    /** Number of requests that a joiner has outstanding at one node, at most. */
    public static final int LARGEST_REQUEST_WINDOW = Tuning.LARGEST_REQUEST_WINDOW;

    private JoiningNode() {}

    /**
     * A joiner without peers; each {@link org.robber.core.node.Event.PeerReady} brings one.
     *
     * @param number of this node, above those of all members
     * @param possession what it has from an earlier run; copied
     * @param seed the same on every node; the node mixes in its number
     * @param requestWindow requests outstanding per peer at first, at least 1; no more than {@link #LARGEST_REQUEST_WINDOW} are made
     * @param pieceBytes size of every piece but the last
     */
    public static MulticastNode create(int number, PieceSet possession, long seed, int requestWindow, int pieceBytes) {
        checkArgument(number >= 1, "number: %s", number);
        // All the same to it: of a cluster mate, a node wants whatever it lacks.
        Topology oneCluster = Topology.of(Collections.nCopies(number + 1, "A"));
        NodeSetup setup = new NodeSetup(
                number,
                oneCluster,
                Overlay.builder(oneCluster).build(),
                0,
                possession,
                seed,
                Math.min(requestWindow, LARGEST_REQUEST_WINDOW),
                pieceBytes);
        return new MobStrategy().createNode(setup.comingLate(possession));
    }
}

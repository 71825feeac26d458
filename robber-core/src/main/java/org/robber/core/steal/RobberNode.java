package org.robber.core.steal;

import java.util.List;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.NodeCounters;
import org.robber.core.node.NodeSetup;
import org.robber.core.peer.PeerTable;
import org.robber.core.piece.PieceSet;

/**
 * One node of a Robber multicast: a {@link StealingNode} whose work may be stolen by cluster mates, and that steals theirs
 * ({@link WorkStealing}).
 *
 * <p>Source: den Burger and Kielmann, "Collective Receiver-Initiated Multicast for Grid Applications", IEEE TPDS 22(2),
 * 2011, pp. 231-244; {@code docs/explanation/algorithm.md} tells where this implementation differs from the published one.
 */
public final class RobberNode implements MulticastNode {
    private final PieceStealing pieces;
    private final WorkStealing stealing;
    private final StealingNode node;

    /** A node that has not begun. */
    public RobberNode(NodeSetup setup) {
        this(setup, RequestStyle.PACED);
    }

    /** A node that has not begun, and asks other clusters in this style. */
    public RobberNode(NodeSetup setup, RequestStyle style) {
        pieces = new PieceStealing(setup, style);
        stealing = new WorkStealing(setup, style, pieces);
        node = new StealingNode(setup, pieces, stealing);
    }

    @Override
    public List<Action> start(long nowNanos) {
        return node.start(nowNanos);
    }

    @Override
    public List<Action> handle(long nowNanos, Event event) {
        return node.handle(nowNanos, event);
    }

    @Override
    public PieceSet possession() {
        return node.possession();
    }

    @Override
    public NodeCounters counters() {
        return node.counters();
    }

    PieceLedger ledger() {
        return pieces.ledger();
    }

    PeerTable peers() {
        return pieces.peers();
    }

    WorkStealing stealing() {
        return stealing;
    }
}

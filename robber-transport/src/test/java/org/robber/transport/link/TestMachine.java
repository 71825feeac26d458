package org.robber.transport.link;

import java.util.List;
import org.robber.core.node.Action;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.NodeCounters;
import org.robber.core.piece.PieceSet;

/** A machine that possesses nothing and counts nothing. A test says what it does about events. */
abstract class TestMachine implements MulticastNode {
    private final int pieces;

    TestMachine(int pieces) {
        this.pieces = pieces;
    }

    @Override
    public List<Action> start(long nowNanos) {
        return List.of();
    }

    @Override
    public PieceSet possession() {
        return PieceSet.empty(pieces);
    }

    @Override
    public NodeCounters counters() {
        return new NodeCounters(0, 0, 0, 0, 0);
    }
}

package org.robber.emulation.simulator.checker;

import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;

/** Two watchers as one. */
record BothWatchers(Watcher first, Watcher second) implements Watcher {
    @Override
    public void sent(int fromRank, int toRank, Message message) {
        first.sent(fromRank, toRank, message);
        second.sent(fromRank, toRank, message);
    }

    @Override
    public void received(int rank, int fromRank, Message message) {
        first.received(rank, fromRank, message);
        second.received(rank, fromRank, message);
    }

    @Override
    public void pieceSent(int fromRank, int toRank, int piece) {
        first.pieceSent(fromRank, toRank, piece);
        second.pieceSent(fromRank, toRank, piece);
    }

    @Override
    public void pieceStored(int rank, int fromRank, int piece) {
        first.pieceStored(rank, fromRank, piece);
        second.pieceStored(rank, fromRank, piece);
    }

    @Override
    public void givenUp(int rank, PieceSet pieces) {
        first.givenUp(rank, pieces);
        second.givenUp(rank, pieces);
    }

    @Override
    public void restarted(int rank, PieceSet kept) {
        first.restarted(rank, kept);
        second.restarted(rank, kept);
    }

    @Override
    public void completed(int rank) {
        first.completed(rank);
        second.completed(rank);
    }
}

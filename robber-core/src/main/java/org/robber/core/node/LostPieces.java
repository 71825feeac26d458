package org.robber.core.node;

import static com.google.common.base.Preconditions.checkElementIndex;
import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.DataPlacement;

/**
 * Finds the pieces whose last copy is lost, from the reports of all nodes: the pieces that some living node lacks, no living node
 * possesses, and no living node can produce. It can tell only when each of these nodes has all that it wants or has starved since the last loss; until then, pieces may
 * be on their way. Used where the reports of all nodes arrive: at rank 0 and in the simulator. Not thread-safe.
 */
public final class LostPieces {
    private final DataPlacement placement;
    private final State[] states;

    /** What was found. Nodes take no part of it any more, even if one comes back with it. */
    private final PieceSet found;

    /** The pieces that each node wants and does not possess; null of those that have not said so. */
    private final @Nullable PieceSet[] lacked;

    private enum State {
        RECEIVING,
        STARVING,
        COMPLETE,
        LOST
    }

    /** No node has reported anything. */
    public LostPieces(int nodes, DataPlacement placement) {
        this.placement = placement;
        this.lacked = new @Nullable PieceSet[nodes];
        this.states = new State[nodes];
        this.found = PieceSet.empty(placement.pieceCount());
        Arrays.fill(states, State.RECEIVING);
    }

    /** The node has said that it starves ({@link Action.Starved}). */
    public void starved(int rank, PieceSet pieces) {
        set(rank, State.STARVING, pieces.copy());
    }

    /** The node has all that it wants. */
    public void completed(int rank) {
        set(rank, State.COMPLETE, PieceSet.empty(placement.pieceCount()));
    }

    private void set(int rank, State state, PieceSet pieces) {
        lacked[checkElementIndex(rank, states.length)] = pieces;
        if (states[rank] != State.LOST) {
            states[rank] = state;
        }
    }

    /** A piece has come to the node: it does not starve any more. */
    public void progressed(int rank) {
        if (states[checkElementIndex(rank, states.length)] == State.STARVING) {
            states[rank] = State.RECEIVING;
        }
    }

    /** The node is gone for good. What others said before counts no more: what it gave them last may be on its way. */
    public void lost(int rank) {
        states[checkElementIndex(rank, states.length)] = State.LOST;
        for (int other = 0; other < states.length; other++) {
            progressed(other);
        }
    }

    /** The node takes part again. */
    public void returned(int rank) {
        states[checkElementIndex(rank, states.length)] = State.RECEIVING;
    }

    /** The pieces that no node possesses any more and some node lacks; empty until that is certain. A new set. */
    public PieceSet lostEverywhere() {
        PieceSet lostEverywhere = PieceSet.full(placement.pieceCount());
        PieceSet awaited = PieceSet.empty(placement.pieceCount());
        for (int rank = 0; rank < states.length; rank++) {
            if (states[rank] == State.RECEIVING) {
                return PieceSet.empty(placement.pieceCount());
            }
            if (states[rank] != State.LOST) {
                PieceSet pieces = checkNotNull(lacked[rank]);
                PieceSet wanted = placement.wantedBy(rank);
                if (states[rank] == State.STARVING) {
                    awaited.addAll(pieces.and(wanted));
                }
                wanted.addAll(placement.possessedBy(rank));
                lostEverywhere.removeAll(wanted.andNot(pieces));
            }
        }
        lostEverywhere.removeAll(canBeProduced(lostEverywhere));
        lostEverywhere.retainAll(awaited);
        found.addAll(lostEverywhere);
        return lostEverywhere;
    }

    /** The pieces, among those that no living node possesses, that one can produce: their inputs are not lost, so they may be on their way. */
    private PieceSet canBeProduced(PieceSet nowhere) {
        PieceSet ofLiving = PieceSet.empty(placement.pieceCount());
        for (int rank = 0; rank < states.length; rank++) {
            if (states[rank] != State.LOST) {
                ofLiving.addAll(placement.producedBy(rank));
            }
        }
        ofLiving.retainAll(nowhere);
        ofLiving.removeAll(found);
        PieceSet lost = nowhere.andNot(ofLiving);
        lost.addAll(found);
        // Inputs have lower numbers, so they come first.
        for (int piece = ofLiving.first(); piece >= 0; piece = ofLiving.nextFrom(piece + 1)) {
            if (placement.inputsOf(piece).stream().anyMatch(lost::contains)) {
                lost.add(piece);
            }
        }
        return ofLiving.andNot(lost);
    }
}

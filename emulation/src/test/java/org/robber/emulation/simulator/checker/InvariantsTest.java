package org.robber.emulation.simulator.checker;

import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.StrategyLimits;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.topology.OverlayPlanner;
import org.robber.core.topology.Topology;
import org.robber.core.topology.WorkDivision;

/** Each promise is broken once, by nodes that are told what to do here. Ranks 0 and 1 are in cluster A, 2 and 3 in B. */
class InvariantsTest {
    private static final int PIECES = 8;
    private static final StrategyLimits STRICT = StrategyLimits.ofDividedWork(5, WorkDivision.ALL_MEMBERS);

    private final Topology topology = Topology.ofSizes(2, 2);
    private final PieceInvariants pieces = new PieceInvariants(topology, setups(), STRICT);
    private final WorkInvariants work = new WorkInvariants(topology, setups(), STRICT, WorkDivision.ALL_MEMBERS);

    private List<NodeSetup> setups() {
        List<NodeSetup> setups = new ArrayList<>();
        for (int rank = 0; rank < topology.size(); rank++) {
            PieceSet possession = rank == 0 ? PieceSet.full(PIECES) : PieceSet.empty(PIECES);
            setups.add(
                    new NodeSetup(rank, topology, OverlayPlanner.plan(topology, 5, 1), 0, possession, 1, 5, 1 << 10));
        }
        return setups;
    }

    @Test
    void nobodySpeaksOfPiecesThatItLacks() {
        assertThatNoException().isThrownBy(() -> pieces.sent(0, 2, new Message.Have(3)));
        broken(() -> pieces.sent(2, 3, new Message.Have(3)), "announces a piece that it lacks");
        broken(
                () -> pieces.sent(2, 3, new Message.Bitfield(PieceSet.range(PIECES, 0, 1))),
                "announces a piece that it lacks");
        broken(() -> pieces.sent(2, 3, new Message.Done()), "announces too early that it is done");
        broken(() -> pieces.pieceSent(2, 3, 3), "sends a piece that it lacks");
        pieces.pieceStored(2, 0, 3);
        assertThatNoException().isThrownBy(() -> pieces.pieceSent(2, 3, 3));
    }

    @Test
    void nobodyIsCompleteWithoutEveryPiece() {
        for (int piece = 0; piece < PIECES - 1; piece++) {
            pieces.pieceStored(1, 0, piece);
        }
        broken(() -> pieces.completed(1), "complete, without 1 of 8 pieces");
        pieces.pieceStored(1, 0, PIECES - 1);
        assertThatNoException().isThrownBy(() -> pieces.completed(1));
    }

    @Test
    void nobodyStoresAPieceTwice() {
        pieces.pieceStored(1, 0, 4);
        broken(() -> pieces.pieceStored(1, 0, 4), "stores piece 4 twice");
    }

    @Test
    void aPieceEntersAClusterOnce() {
        pieces.pieceStored(2, 0, 4);
        pieces.pieceStored(3, 2, 4);
        pieces.pieceStored(2, 1, 6);
        broken(() -> pieces.pieceStored(3, 1, 6), "brings piece 6 into its cluster, which had it before");
    }

    @Test
    void onlyOwnWorkIsGivenAwayAndStolen() {
        // Rank 2 has pieces 0 to 3 to bring, rank 3 the others.
        assertThatNoException().isThrownBy(() -> work.sent(2, 0, new Message.Request(1)));
        broken(() -> work.sent(2, 0, new Message.Request(5)), "steals a piece that is not its work");
        Message loot = new Message.Work(PieceSet.range(PIECES, 2, 4));
        broken(() -> work.sent(3, 2, loot), "gives away work that is not its own");
        work.sent(2, 3, loot);
        broken(() -> work.sent(2, 3, loot), "gives away work that is not its own");
        broken(() -> work.sent(3, 0, new Message.Request(2)), "steals a piece that is not its work");
        work.received(3, 2, loot);
        assertThatNoException().isThrownBy(() -> work.sent(3, 0, new Message.Request(2)));
    }

    @Test
    void noWorkIsForgotten() {
        broken(
                () -> work.sent(2, 0, new Message.Desire(PieceSet.range(PIECES, 0, 3))),
                "forgotten its work on piece 3");
        broken(() -> work.sent(2, 0, new Message.Desire(PieceSet.range(PIECES, 0, 5))), "work of another node");
        // Pieces that are here or requested need not be desired.
        work.pieceStored(3, 1, 3);
        work.sent(2, 0, new Message.Request(0));
        assertThatNoException().isThrownBy(() -> work.sent(2, 0, new Message.Desire(PieceSet.range(PIECES, 1, 3))));
        work.received(2, 0, new Message.Reject(0));
        broken(
                () -> work.sent(2, 0, new Message.Desire(PieceSet.range(PIECES, 1, 3))),
                "forgotten its work on piece 0");
    }

    private static void broken(ThrowingCallable step, String why) {
        assertThatThrownBy(step).isInstanceOf(InvariantViolationException.class).hasMessageContaining(why);
    }
}

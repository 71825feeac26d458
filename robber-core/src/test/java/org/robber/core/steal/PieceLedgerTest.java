package org.robber.core.steal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;
import org.robber.core.peer.OutstandingRequests;
import org.robber.core.peer.Peer;
import org.robber.core.piece.PieceMaps;
import org.robber.core.piece.PieceSet;
import org.robber.core.transfer.Possession;

/**
 * Ledgers are drawn, a character per piece: {@code #} possessed, {@code W} own work, {@code .} unasked but not own work,
 * {@code w} pending and own work again if it does not come, {@code p} pending.
 */
class PieceLedgerTest {

    @Test
    void whatIsThereAlreadyIsNoWork() {
        Possession possession = new Possession(PieceSet.range(6, 0, 2));
        PieceLedger ledger = new PieceLedger(possession, PieceSet.range(6, 1, 4));
        assertThat(draw(ledger)).isEqualTo("##WW..");
    }

    @Test
    void anAskedPieceIsPendingUntilItComes() {
        PieceLedger ledger = ledger();
        ledger.ask(1);
        ledger.ask(4);
        assertThat(draw(ledger)).isEqualTo("WwW.p.");
        assertThat(ledger.store(1)).isTrue();
        assertThat(ledger.store(4)).isTrue();
        assertThat(draw(ledger)).isEqualTo("W#W.#.");
    }

    @Test
    void nothingIsAskedTwice() {
        PieceLedger ledger = ledger();
        ledger.ask(1);
        assertThatIllegalStateException().isThrownBy(() -> ledger.ask(1));
    }

    @Test
    void whatDoesNotComeGoesBackToWhereItWas() {
        PieceLedger ledger = ledger();
        ledger.ask(1);
        ledger.ask(4);
        assertThat(ledger.unask(1)).isTrue();
        assertThat(ledger.unask(4)).isFalse();
        assertThat(draw(ledger)).isEqualTo("WWW...");
    }

    @Test
    void whatCameUnaskedMeanwhileDoesNotGoBack() {
        PieceLedger ledger = ledger();
        ledger.ask(1);
        ledger.store(1);
        assertThat(ledger.unask(1)).isFalse();
        assertThat(ledger.store(1)).isFalse();
        assertThat(ledger.store(0)).isTrue();
        assertThat(draw(ledger)).isEqualTo("##W...");
    }

    @Test
    void whatAMateHasIsWorkNoMoreEvenIfItIsPending() {
        PieceLedger ledger = ledger();
        ledger.ask(1);
        ledger.leaveToMate(PieceSet.range(6, 0, 2));
        ledger.leaveToMate(5);
        assertThat(draw(ledger)).isEqualTo(".pW...");
        assertThat(ledger.unask(1)).isFalse();
        assertThat(draw(ledger)).isEqualTo("..W...");
    }

    @Test
    void workIsGivenAwayFromTheFrontAndTakenOverWhereItIsUnasked() {
        PieceLedger ledger = ledger();
        assertThat(ledger.giveAway(ledger.ownWork().copy(), 2)).isEqualTo(PieceSet.range(6, 0, 2));
        assertThat(draw(ledger)).isEqualTo("..W...");
        ledger.ask(3);
        ledger.store(4);
        ledger.takeOver(PieceSet.range(6, 3, 6));
        assertThat(draw(ledger)).isEqualTo("..Wp#W");
    }

    @Test
    void whatIsPendingIsLackedUntilItIsStored() {
        PieceLedger ledger = ledger();
        ledger.ask(0);
        ledger.store(3);
        assertThat(ledger.possession().lacked()).isEqualTo(PieceSet.full(6).andNot(PieceSet.range(6, 3, 4)));
        assertThat(ledger.possession().isComplete()).isFalse();
        for (int piece = 0; piece < 6; piece++) {
            ledger.store(piece);
        }
        assertThat(ledger.possession().isComplete()).isTrue();
    }

    @Test
    void whatIsGivenUpIsAskedOfNobodyAndNoLongerPending() {
        PieceLedger ledger = ledger();
        ledger.ask(1);
        ledger.ask(4);
        assertThat(ledger.pendingCount()).isEqualTo(2);
        ledger.giveUp(PieceSet.range(6, 0, 2));
        assertThat(ledger.unasked())
                .isEqualTo(PieceSet.full(6).andNot(PieceSet.range(6, 0, 2)).andNot(PieceSet.range(6, 4, 5)));
        assertThat(ledger.ownWork()).isEqualTo(PieceSet.range(6, 2, 3));
        assertThat(ledger.pendingWork().isEmpty()).isTrue();
        assertThat(ledger.pendingCount()).isEqualTo(1);
        assertThat(ledger.unask(1)).isFalse();
        assertThat(ledger.unasked().contains(1)).isFalse();
    }

    @Test
    void workThatWasLeftToARelayIsOwnWorkAgain() {
        PieceLedger ledger = ledger();
        ledger.entrust(PieceSet.range(6, 1, 3));
        assertThat(draw(ledger)).isEqualTo("W.....");
        assertThat(ledger.desiredOutside()).isEqualTo(PieceSet.range(6, 0, 3));
        ledger.takeBack(1);
        ledger.takeBack(4);
        assertThat(draw(ledger)).isEqualTo("WW....");
        ledger.store(2);
        ledger.takeBack(2);
        assertThat(draw(ledger)).isEqualTo("WW#...");
        assertThat(ledger.entrusted().isEmpty()).isTrue();
    }

    @Test
    void postponedWorkIsDesiredAndComesBackUnlessItIsThere() {
        PieceLedger ledger = ledger();
        PieceSet.range(6, 1, 5).forEach(ledger::postpone);
        assertThat(draw(ledger)).isEqualTo("W.....");
        assertThat(ledger.desiredOutside()).isEqualTo(PieceSet.range(6, 0, 3));
        ledger.store(1);
        PieceSet.range(6, 1, 5).forEach(ledger::resume);
        assertThat(draw(ledger)).isEqualTo("W#W...");
    }

    @Test
    void postponedWorkThatIsTakenOverOrGivenUpDoesNotComeBack() {
        PieceLedger ledger = ledger();
        PieceSet.range(6, 0, 3).forEach(ledger::postpone);
        ledger.giveUp(PieceSet.range(6, 0, 1));
        ledger.leaveToMate(1);
        ledger.takeOver(PieceSet.range(6, 2, 3));
        ledger.ask(2);
        PieceSet.range(6, 0, 3).forEach(ledger::resume);
        assertThat(ledger.ownWork().isEmpty()).isTrue();
    }

    @Test
    void matesAreNotAskedForPostponedPieces() {
        Peer mate = new Peer(1, true, 6, new OutstandingRequests(5, 1));
        PieceLedger ledger = ledger();
        PieceSet.range(6, 1, 5).forEach(ledger::postpone);
        assertThat(ledger.askableOf(mate)).isEqualTo(PieceMaps.parse("#....#"));
        assertThat(ledger.mayBeAskedOf(mate, 3)).isFalse();
        ledger.store(3);
        ledger.takeOver(PieceSet.range(6, 1, 2));
        PieceSet.range(6, 3, 5).forEach(ledger::resume);
        assertThat(ledger.askableOf(mate)).isEqualTo(PieceMaps.parse("##..##"));
    }

    @Test
    void whatIsBroughtForOthersIsNotLacked() {
        PieceLedger ledger = new PieceLedger(
                new Possession(PieceSet.range(6, 0, 1), PieceSet.range(6, 0, 3)), PieceSet.range(6, 0, 3));
        assertThat(ledger.bring(PieceSet.range(6, 0, 5), 6)).isEqualTo(PieceSet.range(6, 3, 5));
        assertThat(ledger.bring(PieceSet.range(6, 3, 5), 6).isEmpty()).isTrue();
        assertThat(ledger.desiredOutside()).isEqualTo(PieceSet.range(6, 1, 5));
        assertThat(ledger.possession().lackedCount()).isEqualTo(2);
        ledger.ask(3);
        assertThat(ledger.pendingCount()).isEqualTo(1);
        assertThat(ledger.unaskedForOthers()).isEqualTo(PieceSet.range(6, 4, 5));
        assertThat(ledger.unask(3)).isFalse();
        assertThat(ledger.unaskedForOthers()).isEqualTo(PieceSet.range(6, 3, 5));
        assertThat(ledger.store(3)).isTrue();
        ledger.giveUp(PieceSet.range(6, 4, 6));
        assertThat(ledger.unaskedForOthers().isEmpty()).isTrue();
        assertThat(ledger.unasked()).isEqualTo(PieceSet.range(6, 1, 3));
    }

    private static PieceLedger ledger() {
        PieceLedger ledger = new PieceLedger(new Possession(PieceSet.empty(6)), PieceSet.range(6, 0, 3));
        assertThat(draw(ledger)).isEqualTo("WWW...");
        return ledger;
    }

    private static String draw(PieceLedger ledger) {
        StringBuilder drawing = new StringBuilder();
        for (int piece = 0; piece < ledger.pieceCount(); piece++) {
            if (ledger.possession().contains(piece)) {
                drawing.append('#');
            } else if (ledger.unasked().contains(piece)) {
                drawing.append(ledger.ownWork().contains(piece) ? 'W' : '.');
            } else {
                drawing.append(ledger.pendingWork().contains(piece) ? 'w' : 'p');
            }
        }
        return drawing.toString();
    }
}

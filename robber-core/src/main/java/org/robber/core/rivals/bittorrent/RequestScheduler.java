package org.robber.core.rivals.bittorrent;

import static org.robber.core.transfer.ProtocolBreach.unless;

import com.google.common.collect.ImmutableList;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.transfer.Outbox;
import org.robber.core.transfer.Possession;
import org.robber.core.transfer.Tally;

/**
 * Requests pieces of neighbours that do not choke us, a bounded number at a time. It requests pieces that are not requested yet. In
 * the end game, when every piece is requested, it requests pieces of all neighbours that offer them.
 */
final class RequestScheduler {
    private final Neighbours neighbours;
    private final PieceAvailability availability;
    private final boolean endGame;
    private final Tally tally;
    private final Outbox outbox;
    private final Possession possession;

    /** Neither here nor requested. */
    private final PieceSet unasked;

    RequestScheduler(
            Neighbours neighbours,
            Possession possession,
            PieceAvailability availability,
            boolean endGame,
            Tally tally,
            Outbox outbox) {
        this.neighbours = neighbours;
        this.possession = possession;
        this.unasked = possession.lacked();
        this.availability = availability;
        this.endGame = endGame;
        this.tally = tally;
        this.outbox = outbox;
    }

    /** Gives up these pieces, but for those that are here. */
    void giveUp(PieceSet pieces) {
        possession.giveUp(pieces);
        unasked.removeAll(possession.givenUp());
        PieceSet lacked = possession.lacked();
        for (Neighbour neighbour : neighbours.all()) {
            neighbour.offeredAndLacked = neighbour.offered.countCommon(lacked);
            tellInterest(neighbour);
        }
    }

    /** Whether requests are unanswered, or a neighbour offers a missing piece. */
    boolean expectsPieces() {
        PieceSet lacked = possession.lacked();
        return neighbours.all().stream()
                .anyMatch(neighbour -> neighbour.requests().size() > 0 || neighbour.offered.countCommon(lacked) > 0);
    }

    /** The neighbour has these pieces, too. */
    void offered(Neighbour neighbour, PieceSet pieces) {
        pieces.forEach(piece -> offered(neighbour, piece));
    }

    /** The neighbour has this piece, too. */
    void offered(Neighbour neighbour, int piece) {
        if (neighbour.offered.add(piece)) {
            availability.add(piece);
            neighbour.offeredAndLacked += possession.lacks(piece) ? 1 : 0;
        }
    }

    /** Says whether the neighbour possesses something that we lack, if that has changed. */
    void tellInterest(Neighbour neighbour) {
        boolean interesting = neighbour.offeredAndLacked > 0;
        if (neighbour.isOpen() && neighbour.interesting != interesting) {
            neighbour.interesting = interesting;
            outbox.send(neighbour.peer(), interesting ? new Message.Interested() : new Message.NotInterested());
        }
    }

    /** Asks the neighbour for as much as may be asked of it. */
    void fill(Neighbour neighbour) {
        while (neighbour.isOpen()
                && neighbour.peer().mayBeAsked()
                && !neighbour.chokesUs
                && neighbour.requests().hasRoom()) {
            int piece = availability.pick(
                    unasked, neighbour.offered, possession.pieces().size());
            if (piece < 0 && endGame && unasked.isEmpty()) {
                piece = pickAskedElsewhere(neighbour);
            }
            if (piece < 0) {
                return;
            }
            unasked.remove(piece);
            // The fixed window of BitTorrent takes no notice of time.
            neighbour.requests().add(piece, 0);
            outbox.send(neighbour.peer(), new Message.Request(piece));
        }
    }

    private int pickAskedElsewhere(Neighbour neighbour) {
        PieceSet askable = possession.lacked();
        for (int piece : neighbour.requests().pieces()) {
            askable.remove(piece);
        }
        return availability.pick(askable, neighbour.offered, possession.pieces().size());
    }

    /** A piece came from the neighbour, asked for or not; returns whether it is new. */
    boolean pieceStored(Neighbour from, int piece) {
        from.requests().remove(piece);
        offered(from, piece);
        boolean isNew = possess(piece);
        if (isNew) {
            from.countReceived();
            tally.pieceReceived(from.peer());
        }
        return isNew;
    }

    /** A piece is here; returns whether it is new. */
    boolean possess(int piece) {
        unasked.remove(piece);
        boolean wasLacked = possession.lacks(piece);
        boolean isNew = possession.add(piece);
        if (isNew) {
            for (Neighbour neighbour : neighbours.all()) {
                if (wasLacked && neighbour.offered.contains(piece)) {
                    neighbour.offeredAndLacked--;
                }
                if (neighbour.requests().cancel(piece) && neighbour.isOpen()) {
                    outbox.send(neighbour.peer(), new Message.Cancel(piece));
                }
            }
        }
        return isNew;
    }

    /** The neighbour refused a piece: it is requested of another neighbour, or else of the same one again. */
    void rejectReceived(Neighbour neighbour, int piece) {
        unless(piece >= 0 && piece < possession.pieceCount(), "reject of a piece that isn't there");
        if (neighbour.requests().isAnswerToCancelled(piece)) {
            return;
        }
        unless(neighbour.requests().contains(piece), "reject without a request");
        unless(!neighbour.peer().reliability().refused(), "refuses everything");
        takeBack(neighbour, piece);
    }

    /** A piece that was asked of the neighbour did not come. */
    void takeBack(Neighbour neighbour, int piece) {
        tally.pieceRejected();
        if (neighbour.requests().remove(piece)) {
            open(piece);
            fillAllAfter(neighbour);
        }
    }

    /** The neighbour is gone, and what was asked of it may be asked of others. */
    void neighbourLost(Neighbour lost) {
        availability.removeAll(lost.offered);
        lost.reset();
        for (int piece : lost.requests().drain()) {
            open(piece);
        }
        fillAllAfter(lost);
    }

    /** Nothing comes from the neighbour: what was asked of it may be asked of others. */
    void neighbourStalled(Neighbour stalled) {
        for (int piece : stalled.requests().cancelAll()) {
            outbox.send(stalled.peer(), new Message.Cancel(piece));
            open(piece);
        }
        fillAllAfter(stalled);
    }

    /** The piece may be requested again, unless it is here or requested of another neighbour. */
    private void open(int piece) {
        if (possession.lacks(piece)
                && neighbours.all().stream()
                        .noneMatch(neighbour -> neighbour.requests().contains(piece))) {
            unasked.add(piece);
        }
    }

    /** Fills the windows of all neighbours, the given one last: a fair order for second attempts. */
    private void fillAllAfter(Neighbour last) {
        ImmutableList<Neighbour> all = neighbours.all();
        int place = all.indexOf(last);
        all.subList(place + 1, all.size()).forEach(this::fill);
        all.subList(0, place + 1).forEach(this::fill);
    }
}

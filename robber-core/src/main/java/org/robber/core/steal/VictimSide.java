package org.robber.core.steal;

import static org.robber.core.transfer.ProtocolBreach.unless;

import org.robber.core.peer.Peer;
import org.robber.core.peer.PeerTable;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.topology.DataPlacement;
import org.robber.core.transfer.Outbox;
import org.robber.core.transfer.Tally;

/** Offers own work to cluster mates, and gives part of it to those that steal. */
final class VictimSide {
    private final DataPlacement placement;
    private final boolean levels;
    private final GatewayRule gateways;
    private final PieceExchange exchange;
    private final PieceLedger ledger;
    private final PeerTable peers;
    private final Tally tally;
    private final Outbox outbox;

    VictimSide(NodeParts parts, PieceExchange exchange) {
        this.placement = parts.setup().placement();
        this.levels = parts.variant() == StealingVariant.IMPROVED;
        this.gateways = new GatewayRule(parts);
        this.exchange = exchange;
        this.ledger = parts.ledger();
        this.peers = parts.peers();
        this.tally = parts.tally();
        this.outbox = parts.outbox();
    }

    /** Announces own work to all mates that may steal it. */
    void announceWork() {
        peers.locals().forEach(this::announceWorkTo);
    }

    /** Announces own work to the peer, if it is a mate that may steal it. */
    void announceWorkTo(Peer peer) {
        if (!ledger.ownWork().isEmpty()
                && peer.isLocal()
                && peer.isReady()
                && maySteal(peer)
                && (placement.isWantedByAll() || !workFor(peer).isEmpty())) {
            outbox.send(peer, new Message.FoundWork());
        }
    }

    /** Whether all mates may steal from now on, because this node is a gateway that turned out to be late. */
    boolean becomesLate() {
        return gateways.becomesLate();
    }

    /**
     * Answers a steal with part of the own work.
     *
     * @param keepsWork whether the thief gets nothing for now
     */
    void stealReceived(Peer thief, Message.Steal steal, boolean keepsWork) {
        unless(thief.isLocal(), "steal from another cluster");
        PieceSet work = workFor(thief);
        int count = keepsWork || !maySteal(thief) ? 0 : piecesToGive(work.size(), steal);
        PieceSet given = ledger.giveAway(work, count);
        outbox.send(thief, new Message.Work(given));
        if (!given.isEmpty()) {
            exchange.desireWorkOutside();
        }
    }

    private boolean maySteal(Peer mate) {
        return gateways.mayHelp(mate) || !peers.canReachOtherClusters();
    }

    /** The own work that the mate wants, too; a new set. */
    private PieceSet workFor(Peer mate) {
        PieceSet work = ledger.ownWork().copy();
        if (!placement.isWantedByAll()) {
            work.retainAll(placement.wantedBy(mate.rank()));
        }
        return work;
    }

    private int piecesToGive(int workPieces, Message.Steal steal) {
        boolean canWork = peers.canReachOtherClusters();
        int piecesStolen = tally.piecesStolenGlobal();
        return levels
                ? WorkSplit.bySpeed(workPieces, canWork, piecesStolen, steal)
                : WorkSplit.half(workPieces, canWork, piecesStolen, steal.piecesStolen());
    }
}

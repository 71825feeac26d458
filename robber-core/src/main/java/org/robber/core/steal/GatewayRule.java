package org.robber.core.steal;

import org.robber.core.node.NodeSetup;
import org.robber.core.peer.Peer;
import org.robber.core.piece.PieceSet;
import org.robber.core.topology.Gateways;
import org.robber.core.transfer.Tally;
import org.robber.core.tuning.Tuning;

/**
 * Which cluster mates may take over the work of a gateway. A gateway gives work to gateways only, or the cluster would soon use all its
 * connections again. It gives to all mates once it cannot do its work in time. There are no gateways in the published variant, and none where nodes want
 * different pieces.
 */
final class GatewayRule {
    private final NodeSetup setup;
    private final boolean hasGateways;
    private final boolean isGateway;
    private final PieceLedger ledger;
    private final Tally tally;

    /** Pieces that this node had at the start tell nothing of rates. */
    private final PieceSet lackedAtStart;

    private boolean isLate;

    GatewayRule(NodeParts parts) {
        this.setup = parts.setup();
        this.hasGateways =
                parts.variant() == StealingVariant.IMPROVED && setup.placement().isWantedByAll();
        this.isGateway = isGateway(setup.rank());
        this.ledger = parts.ledger();
        this.tally = parts.tally();
        this.lackedAtStart = PieceSet.full(setup.pieceCount()).andNot(setup.possession());
    }

    private boolean isGateway(int rank) {
        return !hasGateways || Gateways.isGateway(rank, setup.topology(), setup.pieceCount());
    }

    /** Whether the mate may take over our work. */
    boolean mayHelp(Peer mate) {
        return !isGateway || isLate || isGateway(mate.rank());
    }

    /** Whether this node is a gateway that turns out to be late now, and so lets all mates help from now on. */
    boolean becomesLate() {
        boolean becomesLate = isGateway && !isLate && needsTwiceAsLongAsTheCluster();
        isLate |= becomesLate;
        return becomesLate;
    }

    /** Whether our work takes twice as long as all that the cluster lacks, at the rates so far. */
    private boolean needsTwiceAsLongAsTheCluster() {
        long come = ledger.possession().pieces().countCommon(lackedAtStart);
        long lacked = lackedAtStart.size() - come;
        long stolen = Math.max(Tuning.FEWEST_PIECES_PER_LEVELLING, tally.piecesStolenGlobal());
        return come >= lackedAtStart.size() / Tuning.PIECES_PER_FIRST_LOOK
                && ledger.ownWork().size() * come > Tuning.LATE_GATEWAY_FACTOR * stolen * lacked;
    }
}

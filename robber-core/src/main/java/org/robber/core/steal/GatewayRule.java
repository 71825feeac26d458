package org.robber.core.steal;

import org.robber.core.node.NodeSetup;
import org.robber.core.peer.Peer;
import org.robber.core.topology.Gateways;

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
    private final Pace pace;

    private boolean isLate;

    GatewayRule(NodeParts parts) {
        this.setup = parts.setup();
        this.hasGateways =
                parts.variant() == StealingVariant.IMPROVED && setup.placement().isWantedByAll();
        this.isGateway = isGateway(setup.rank());
        this.ledger = parts.ledger();
        this.pace = parts.pace();
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
        boolean becomesLate = hasGateways
                && isGateway
                && !isLate
                && pace.isLateWith(ledger.ownWork().size());
        isLate |= becomesLate;
        return becomesLate;
    }
}

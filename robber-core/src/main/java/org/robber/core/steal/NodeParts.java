package org.robber.core.steal;

import org.robber.core.node.NodeSetup;
import org.robber.core.peer.PeerTable;
import org.robber.core.random.SeededRandom;
import org.robber.core.transfer.Outbox;
import org.robber.core.transfer.Possession;
import org.robber.core.transfer.Tally;

/**
 * The state that all parts of one {@link StealingNode} share.
 *
 * @param style how the node asks its peers for pieces
 * @param random the only source of random numbers of the node
 * @param peers those that the node is connected to
 * @param ledger where each piece stands
 * @param tally the counters of the node
 * @param outbox the actions of the node
 */
record NodeParts(
        NodeSetup setup,
        RequestStyle style,
        SeededRandom random,
        PeerTable peers,
        PieceLedger ledger,
        Tally tally,
        Outbox outbox) {

    /** The state of a node that has not begun. */
    static NodeParts of(NodeSetup setup, RequestStyle style) {
        return new NodeParts(
                setup,
                style,
                SeededRandom.forUse(setup.seed(), setup.rank()),
                PeerTable.of(setup),
                new PieceLedger(new Possession(setup.possession()), setup.share(style.division())),
                new Tally(),
                new Outbox());
    }
}

package org.robber.core.steal;

import org.robber.core.node.NodeSetup;
import org.robber.core.peer.PeerTable;
import org.robber.core.random.SeededRandom;
import org.robber.core.transfer.Outbox;
import org.robber.core.transfer.Possession;
import org.robber.core.transfer.Tally;

/**
 * What all parts of one {@link StealingNode} work on.
 *
 * @param style how the node asks its peers for pieces
 * @param random all that the node draws at random comes from here
 * @param peers those that the node is connected to
 * @param ledger where each piece stands
 * @param tally what the node has done so far
 * @param outbox what the node is about to do
 */
record NodeParts(
        NodeSetup setup,
        RequestStyle style,
        SeededRandom random,
        PeerTable peers,
        PieceLedger ledger,
        Tally tally,
        Outbox outbox) {

    /** Of a node that has not begun. */
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

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
 * @param variant which algorithm the node runs
 * @param random the only source of random numbers of the node
 * @param peers those that the node is connected to
 * @param lines how many requests keep the lines to them busy
 * @param ledger where each piece stands
 * @param tally the counters of the node
 * @param pace how long the node needs, compared with its cluster
 * @param outbox the actions of the node
 */
record NodeParts(
        NodeSetup setup,
        StealingVariant variant,
        SeededRandom random,
        PeerTable peers,
        LineBudgets lines,
        PieceLedger ledger,
        Tally tally,
        Pace pace,
        Outbox outbox) {

    /** The state of a node that has not begun. */
    static NodeParts of(NodeSetup setup, StealingVariant variant) {
        PeerTable peers = new PeerTable(setup);
        Possession possession = Possession.of(setup);
        Tally tally = new Tally();
        return new NodeParts(
                setup,
                variant,
                SeededRandom.forUse(setup.seed(), setup.rank()),
                peers,
                new LineBudgets(setup, variant, peers),
                new PieceLedger(possession, setup.share(variant.division())),
                tally,
                new Pace(possession, tally),
                new Outbox());
    }
}

package org.robber.core.steal;

import org.robber.core.node.NodeSetup;
import org.robber.core.peer.Peer;
import org.robber.core.peer.PeerTable;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.random.SeededRandom;
import org.robber.core.transfer.Outbox;
import org.robber.core.transfer.Possession;
import org.robber.core.transfer.Tally;

/**
 * How a node comes by pieces: it says what it desires, hears who offers it, and requests it - of cluster mates whatever it
 * lacks, of peers in other clusters its own work. Whose work a piece is, others decide: {@link WorkPolicy}.
 */
public final class PieceStealing {
    private final SeededRandom random;
    private final PeerTable peers;
    private final PieceLedger ledger;
    private final Tally tally = new Tally();
    private final Outbox outbox = new Outbox();
    private final RemoteOffers wishes;
    private final Requests requests;

    /** Of a node that asks other clusters in this style. */
    public PieceStealing(NodeSetup setup, RequestStyle style) {
        random = SeededRandom.forUse(setup.seed(), setup.rank());
        peers = PeerTable.of(setup);
        ledger = new PieceLedger(new Possession(setup.possession()), setup.share(style.division()));
        wishes = new RemoteOffers(ledger, outbox);
        requests = new Requests(
                ledger,
                ClusterClaim.of(setup.rank(), setup.rootRank(), setup.topology(), setup.pieceCount()),
                peers,
                random,
                style,
                tally,
                outbox);
    }

    /** What else the node draws at random comes from here, too. */
    public SeededRandom random() {
        return random;
    }

    /** Those that the node is connected to. */
    public PeerTable peers() {
        return peers;
    }

    /** Where each piece stands. */
    public PieceLedger ledger() {
        return ledger;
    }

    /** What the node has done so far. */
    public Tally tally() {
        return tally;
    }

    /** What the node is about to do. */
    public Outbox outbox() {
        return outbox;
    }

    Requests requests() {
        return requests;
    }

    /** The peer can be sent messages: it is told what we desire of it. */
    void peerReady(Peer peer) {
        PieceSet wanted =
                peer.isLocal() ? ledger.possession().lacked() : ledger.ownWork().copy();
        if (!wanted.isEmpty()) {
            wishes.desire(peer, wanted);
        }
    }

    void bitfieldReceived(Peer peer, Message.Bitfield bitfield) {
        wishes.bitfieldReceived(peer, bitfield.pieces());
        requests.fill(peer);
    }

    void haveReceived(Peer peer, Message.Have have) {
        wishes.haveReceived(peer, have.piece());
        requests.askFor(peer, have.piece());
    }

    /** Makes those pieces own work that are unasked and that no cluster mate is known to possess. */
    public void takeOver(PieceSet work) {
        PieceSet left = work.copy();
        wishes.removeHeldByMates(left, peers);
        ledger.takeOver(left);
    }

    /** Tells peers in other clusters what our work is, now that it has changed. */
    public void desireWorkOutside() {
        PieceSet work = ledger.ownWork().copy();
        for (Peer peer : peers.globals()) {
            if (peer.isReady()) {
                wishes.desire(peer, work);
            }
        }
    }

    /** Asks peers in other clusters for as much of our work as they may be asked for. */
    public void askOutside() {
        requests.fill(peers.globals());
    }

    /** How many requests went to peers in other clusters so far. */
    public long askedOutside() {
        return requests.askedOutside();
    }
}

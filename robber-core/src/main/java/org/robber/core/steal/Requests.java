package org.robber.core.steal;

import static org.robber.core.transfer.ProtocolBreach.unless;

import java.util.List;
import org.robber.core.node.NodeSetup;
import org.robber.core.peer.Peer;
import org.robber.core.peer.PeerTable;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.random.SeededRandom;
import org.robber.core.transfer.Outbox;
import org.robber.core.transfer.Tally;

/**
 * Asks peers for pieces: of a cluster mate any piece that is unasked, of other peers own work only, at random among those
 * that the peer offers or by their scarcity ({@link RequestStyle}), never more at a time than its window holds, and no piece of two peers at a time.
 *
 * <p>Between events, either a peer's window is full, or the peer offers nothing that may be asked of it. So a
 * {@code have} concerns one piece only, and costs O(1). Code that makes pieces askable in another way calls {@link #fill}.
 *
 * <p>A piece that a peer refused or sent corrupt is avoided there: it is requested there again only when nobody else offers it.
 */
public final class Requests {
    /** With one request outstanding, a line would be silent for a round trip after each piece. */
    private static final int SMALLEST_PACED_LIMIT = 2;

    /**
     * Where a piece takes much longer than a round trip and mates share the line, it is not: their pieces come meanwhile. A second
     * request would only wait at the peer, while another cluster asks elsewhere for the same piece.
     */
    private static final int SMALLEST_SLUGGISH_LIMIT = 1;

    private static final int FEWEST_MATES_THAT_SHARE = 3;

    /** More than any line needs, and few enough to search. */
    public static final int LARGEST_PACED_LIMIT = 64;

    /** Windows larger than published take together, inside and outside, no more than this part of what may be asked there. */
    private static final int WORK_PER_REQUEST = 8;

    private final PieceLedger ledger;
    private final ClusterClaim claim;
    private final PeerTable peers;
    private final SeededRandom random;
    private final Tally tally;
    private final Outbox outbox;
    private final RequestStyle style;
    private long askedOutside;
    private long nowNanos;

    /** Whether a piece of any peer may be avoided: if not, there is no need to look at all peers at each event. */
    private boolean someAreAvoided;

    /** @param claim what to ask other clusters for first, when requests are paced */
    public Requests(
            PieceLedger ledger,
            ClusterClaim claim,
            PeerTable peers,
            SeededRandom random,
            RequestStyle style,
            Tally tally,
            Outbox outbox) {
        this.ledger = ledger;
        this.claim = claim;
        this.peers = peers;
        this.random = random;
        this.style = style;
        this.tally = tally;
        this.outbox = outbox;
    }

    /** How many requests went to peers in other clusters so far. */
    public long askedOutside() {
        return askedOutside;
    }

    /** Says what time it is: called first at each event. */
    public void advanceTo(long newNowNanos) {
        nowNanos = newNowNanos;
    }

    /** Fills the peer's window. */
    public void fill(Peer peer) {
        while (askForAny(peer)) {
            // one more
        }
    }

    /** Fills the windows of these peers, one request of each in turn, so that they share what they all offer. */
    public void fill(List<Peer> askedPeers) {
        boolean asked = true;
        while (asked) {
            asked = false;
            for (Peer peer : askedPeers) {
                asked |= askForAny(peer);
            }
        }
    }

    /** Asks for this piece, if the peer offers it, it may be asked, and there is room. */
    public void askFor(Peer peer, int piece) {
        if (hasRoom(peer) && mayAsk(peer, piece)) {
            ask(peer, piece);
        }
    }

    /**
     * A piece begins to come from the peer; when it began to leave, so many of our requests waited there. Inside a cluster, where
     * requests wait for nothing but processors, that says nothing of the line.
     */
    public void pieceBegun(Peer peer, int waiting) {
        if (isPaced(peer)) {
            peer.requests().begun(waiting);
        }
    }

    /** A piece came from the peer, asked for or not; returns whether it is new. */
    public boolean pieceStored(Peer peer, int piece) {
        if (style == RequestStyle.PACED) {
            peer.requests().adapt(piece, nowNanos, smallestPacedLimit(peer), LARGEST_PACED_LIMIT);
        }
        peer.reliability().verified();
        peer.requests().remove(piece);
        peer.requests().removeCancelled(piece);
        boolean isNew = ledger.store(piece);
        if (isNew) {
            tally.pieceReceived(peer);
        }
        return isNew;
    }

    /** The peer refused a request; returns whether own work came back and is still there. */
    public boolean rejectReceived(Peer peer, int piece) {
        unless(piece >= 0 && piece < ledger.pieceCount(), "reject of a piece that isn't there");
        if (!peer.requests().contains(piece) && peer.requests().removeCancelled(piece)) {
            return false;
        }
        unless(peer.requests().contains(piece), "reject without a request");
        unless(!peer.reliability().refused(), "refuses everything");
        return requestFailed(peer, piece);
    }

    /** A piece came corrupt from the peer; returns whether that was once too often. */
    public boolean recordCorrupt(Peer peer) {
        return peer.reliability().corrupt();
    }

    /** A piece that was asked of the peer did not come; returns whether own work came back and is still there. */
    public boolean requestFailed(Peer peer, int piece) {
        tally.pieceRejected();
        if (!peer.requests().remove(piece)) {
            return false;
        }
        boolean workCameBack = ledger.giveBack(piece);
        someAreAvoided |= peer.offers().avoid(piece);
        reassign(peer, piece);
        fill(peer);
        return workCameBack && ledger.ownWork().contains(piece);
    }

    /** Takes back all requests from a peer that is gone; returns whether own work came back and is still there. */
    public boolean peerLost(Peer peer) {
        return takeBackAll(peer.requests().drain());
    }

    private boolean takeBackAll(int[] pieces) {
        boolean workCameBack = false;
        for (int piece : pieces) {
            workCameBack |= ledger.giveBack(piece);
        }
        fill(peers.all());
        return workCameBack && !ledger.ownWork().isEmpty();
    }

    /** Takes back all requests from a peer from which nothing comes; returns whether own work came back and is still there. */
    public boolean peerStalled(Peer peer) {
        int[] cancelled = peer.requests().cancelAll();
        for (int piece : cancelled) {
            outbox.send(peer, new Message.Cancel(piece));
        }
        return takeBackAll(cancelled);
    }

    /** Requests avoided pieces again where nobody else is left to ask. */
    public void reassignAvoided() {
        if (!someAreAvoided) {
            return;
        }
        someAreAvoided = false;
        for (Peer peer : peers.all()) {
            // Iterates over a snapshot: reassign() removes entries.
            peer.offers().avoided().forEach(piece -> reassign(peer, piece));
            someAreAvoided |= !peer.offers().avoided().isEmpty();
        }
    }

    /** Requests a piece that is avoided at this peer, and perhaps at others, of somebody else if there is any. */
    private void reassign(Peer last, int piece) {
        if (ledger.possession().contains(piece)) {
            last.offers().forget(piece);
        } else if (ledger.unasked().contains(piece)) {
            if (peers.all().stream().noneMatch(peer -> mayAsk(peer, piece))) {
                makeRequestable(last, piece);
            }
            for (Peer peer : peers.allAfter(last)) {
                askFor(peer, piece);
            }
        }
    }

    /** Allows to request an avoided piece again; of the last peer that failed only if nobody else offers it. */
    private void makeRequestable(Peer last, int piece) {
        boolean othersOffer = false;
        for (Peer peer : peers.all()) {
            othersOffer |= peer != last && peer.offers().allow(piece);
        }
        if (!othersOffer) {
            last.offers().allow(piece);
        }
    }

    private boolean askForAny(Peer peer) {
        if (!peer.mayBeAsked() || !hasRoom(peer)) {
            return false;
        }
        int piece = isPaced(peer)
                ? ScarcestPick.pick(ledger.ownWork(), claim, peer, peers.globals(), random)
                : askable(peer).randomCommon(peer.offers().requestable(), random);
        if (piece < 0) {
            return false;
        }
        ask(peer, piece);
        return true;
    }

    private int smallestPacedLimit(Peer peer) {
        if (peer.isLocal()) {
            return NodeSetup.PUBLISHED_REQUEST_WINDOW;
        }
        // to a peer that is done, no pieces go behind which a request would wait
        boolean oneWillDo = peer.end().isPeerDone()
                && peer.requests().isSluggish()
                && peers.locals().size() >= FEWEST_MATES_THAT_SHARE;
        return oneWillDo ? SMALLEST_SLUGGISH_LIMIT : SMALLEST_PACED_LIMIT;
    }

    /**
     * Whether one more request may go to the peer. A pending piece cannot be asked of others or stolen. So when little is left, a peer has
     * no more than its part of an eighth of it, and the rest stays open to the peers that turn out to be faster.
     */
    private boolean hasRoom(Peer peer) {
        if (style == RequestStyle.PUBLISHED || peer.requests().size() < smallestBudget(peer)) {
            return peer.requests().hasRoom();
        }
        int lines = (peer.isLocal() ? peers.locals() : peers.globals()).size();
        return peer.requests().hasRoom()
                && peer.requests().size() < askable(peer).size() / WORK_PER_REQUEST / lines;
    }

    private static int smallestBudget(Peer peer) {
        return peer.isLocal() ? NodeSetup.PUBLISHED_REQUEST_WINDOW : SMALLEST_PACED_LIMIT;
    }

    private boolean isPaced(Peer peer) {
        return style == RequestStyle.PACED && !peer.isLocal();
    }

    private boolean mayAsk(Peer peer, int piece) {
        return peer.mayBeAsked()
                && peer.offers().isRequestable(piece)
                && askable(peer).contains(piece);
    }

    private PieceSet askable(Peer peer) {
        return peer.isLocal() ? ledger.unasked() : ledger.ownWork();
    }

    private void ask(Peer peer, int piece) {
        ledger.ask(piece);
        peer.requests().add(piece, nowNanos);
        if (!peer.isLocal()) {
            askedOutside++;
        }
        outbox.send(peer, new Message.Request(piece));
    }
}

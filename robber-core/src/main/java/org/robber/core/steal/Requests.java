package org.robber.core.steal;

import static org.robber.core.transfer.ProtocolBreach.unless;

import java.util.List;
import org.robber.core.node.NodeSetup;
import org.robber.core.peer.Peer;
import org.robber.core.peer.PeerTable;
import org.robber.core.protocol.Message;
import org.robber.core.random.SeededRandom;
import org.robber.core.transfer.Outbox;
import org.robber.core.transfer.Tally;

/**
 * Asks peers for pieces: of a cluster mate any piece that is unasked and not postponed, of other peers own work only, at random among those
 * that the peer offers or by their scarcity ({@link StealingVariant}), never more at a time than its window holds, and no piece of two
 * peers at a time.
 *
 * <p>Between events, either the window of a peer or the budget of its line is full, or the peer offers nothing that may be asked of it. So a
 * {@code have} concerns one piece only. Code that makes pieces askable in another way calls {@link #fill}. Requests may also be held back because of what is
 * outstanding elsewhere: {@link #afterEvent} makes them.
 *
 * <p>A piece that a peer refused or sent corrupt is avoided there: it is requested there again only when no other peer offers it.
 */
final class Requests {
    private final PieceLedger ledger;
    private final ClusterClaim claim;
    private final SoleWork soleWork;
    private final PeerTable peers;
    private final SeededRandom random;
    private final Tally tally;
    private final Outbox outbox;
    private final StealingVariant variant;
    private final RequestWindows windows;
    private final Relays relays;
    private long askedOutside;
    private long nowNanos;

    /** Whether a piece of any peer may be avoided: if not, there is no need to look at all peers at each event. */
    private boolean someAreAvoided;

    Requests(NodeParts parts, Relays relays) {
        NodeSetup setup = parts.setup();
        this.ledger = parts.ledger();
        this.peers = parts.peers();
        this.random = parts.random();
        this.tally = parts.tally();
        this.outbox = parts.outbox();
        this.variant = parts.variant();
        this.relays = relays;
        this.windows = new RequestWindows(parts);
        this.soleWork = new SoleWork(parts);
        this.claim = ClusterClaim.of(setup.rank(), setup.placement(), setup.topology());
    }

    /** How many requests went to peers in other clusters so far. */
    long askedOutside() {
        return askedOutside;
    }

    /** Says what time it is: called first at each event. */
    void advanceTo(long newNowNanos) {
        nowNanos = newNowNanos;
    }

    /** The time of this event. */
    long nowNanos() {
        return nowNanos;
    }

    /** Fills the peer's window. */
    void fill(Peer peer) {
        while (askForAny(peer)) {
            // one more
        }
    }

    /** A request to the peer has ended: fills its window, and those of peers that share its line. */
    void fillLine(Peer peer) {
        fill(peer);
        fill(windows.sharing(peer));
    }

    /** Fills the windows of these peers, one request of each in turn, so that they share what they all offer. */
    void fill(List<Peer> askedPeers) {
        boolean asked = true;
        while (asked) {
            asked = false;
            for (Peer peer : askedPeers) {
                asked |= askForAny(peer);
            }
        }
    }

    /** Requests what was held back, if it need not be any more; called after each event. */
    void afterEvent() {
        if (soleWork.hasReleased() || windows.hasReleased()) {
            fill(peers.globals());
        }
    }

    /** Asks for this piece, if the peer offers it, it may be asked, and there is room. */
    void askFor(Peer peer, int piece) {
        if (mayAsk(peer, piece) && windows.allowOneMore(peer) && (!isAdaptive(peer) || soleWork.allows(peer, piece))) {
            ask(peer, piece);
        }
    }

    /**
     * A piece begins to come from the peer; when it began to leave, so many of our requests waited there. Inside a cluster, where
     * requests wait for nothing but processors, that says nothing of the line.
     */
    void pieceBegun(Peer peer, int waiting) {
        if (isAdaptive(peer)) {
            peer.requests().begun(waiting);
        }
    }

    /** A piece came from the peer, asked for or not; returns whether it is new. */
    boolean pieceStored(Peer peer, int piece) {
        windows.adapt(peer, piece, nowNanos);
        peer.reliability().verified();
        peer.requests().remove(piece);
        boolean isNew = ledger.store(piece);
        if (isNew) {
            tally.pieceReceived(peer);
        }
        return isNew;
    }

    /** The peer refused a request; returns whether own work came back and is still there. */
    boolean rejectReceived(Peer peer, int piece) {
        unless(piece >= 0 && piece < ledger.pieceCount(), "reject of a piece that isn't there");
        if (peer.requests().isAnswerToCancelled(piece)) {
            return false;
        }
        unless(peer.requests().contains(piece), "reject without a request");
        unless(!peer.reliability().refused(), "refuses everything");
        return requestFailed(peer, piece);
    }

    /** A piece came corrupt from the peer; returns whether the peer exceeds the limit now. */
    boolean recordCorrupt(Peer peer) {
        return peer.reliability().corrupt();
    }

    /** A piece that was asked of the peer did not come; returns whether own work came back and is still there. */
    boolean requestFailed(Peer peer, int piece) {
        tally.pieceRejected();
        if (!peer.requests().remove(piece)) {
            return false;
        }
        boolean ownWorkGrew = ledger.unask(piece);
        someAreAvoided |= peer.offers().avoid(piece);
        reassign(peer, piece);
        fillLine(peer);
        return ownWorkGrew && ledger.ownWork().contains(piece);
    }

    /** Takes back all requests from a peer that is gone; returns whether own work came back and is still there. */
    boolean peerLost(Peer peer) {
        return takeBackAll(peer.requests().drain());
    }

    private boolean takeBackAll(int[] pieces) {
        boolean ownWorkGrew = false;
        for (int piece : pieces) {
            ownWorkGrew |= ledger.unask(piece);
        }
        fill(peers.all());
        return ownWorkGrew && !ledger.ownWork().isEmpty();
    }

    /** Takes back all requests from a peer from which nothing comes; returns whether own work came back and is still there. */
    boolean peerStalled(Peer peer) {
        int[] cancelled = peer.requests().cancelAll();
        for (int piece : cancelled) {
            outbox.send(peer, new Message.Cancel(piece));
        }
        return takeBackAll(cancelled);
    }

    /** Requests avoided pieces again where no other peer offers them. */
    void reassignAvoided() {
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

    /** Requests a piece that is avoided at this peer of another peer, if one offers it. */
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

    /** Makes an avoided piece requestable again; at the last peer that failed only if no other peer offers it. */
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
        if (!peer.mayBeAsked() || !windows.allowOneMore(peer)) {
            return false;
        }
        int piece = relays.pick(peer);
        if (piece < 0) {
            piece = isAdaptive(peer)
                    ? pickOutside(peer)
                    : ledger.askableOf(peer).randomCommon(peer.offers().requestable(), random);
        }
        if (piece < 0) {
            piece = relays.pickForOthers(peer);
        }
        if (piece < 0) {
            return false;
        }
        ask(peer, piece);
        return true;
    }

    private int pickOutside(Peer peer) {
        if (!soleWork.isEmpty()) {
            int piece = ScarcestPick.pick(soleWork.unasked(), claim, peer, peers.globals(), random);
            if (piece >= 0 || soleWork.comesFirst(peer)) {
                return piece;
            }
        }
        return ScarcestPick.pick(ledger.ownWork(), claim, peer, peers.globals(), random);
    }

    private boolean isAdaptive(Peer peer) {
        return variant == StealingVariant.IMPROVED && !peer.isLocal();
    }

    private boolean mayAsk(Peer peer, int piece) {
        return peer.mayBeAsked() && peer.offers().isRequestable(piece) && ledger.mayBeAskedOf(peer, piece);
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

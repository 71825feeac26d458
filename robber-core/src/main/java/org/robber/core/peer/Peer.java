package org.robber.core.peer;

import org.robber.core.piece.PieceSet;

/**
 * The state that a node keeps of one of its peers during a multicast. Invariants:
 *
 * <ul>
 *   <li>Only a ready peer has desires, steps of the end handshake, and offers. Offers that all know from the start are there before. A loss clears all of them. Its outstanding requests
 *       are taken back by the strategy.
 *   <li>Only a ready peer can be stalled.
 *   <li>An expelled peer never becomes ready again. Its corrupt pieces count over all connections.
 * </ul>
 */
public final class Peer {

    private enum Presence {
        /** Not yet heard of. */
        AWAITED,
        READY,
        LOST
    }

    private final int rank;
    private final boolean local;

    private Presence presence = Presence.AWAITED;
    private boolean expelled;
    private boolean stalled;

    private final PieceSet desiredByPeer;
    private final PeerOffers offers;
    private final OutstandingRequests requests;
    private final PeerReliability reliability = new PeerReliability();
    private final EndHandshake end = new EndHandshake();

    /**
     * A peer of which nothing was heard yet.
     *
     * @param local whether it is in the node's own cluster
     * @param requests empty; of no other peer
     */
    public Peer(int rank, boolean local, int pieceCount, OutstandingRequests requests) {
        this.rank = rank;
        this.local = local;
        this.desiredByPeer = PieceSet.empty(pieceCount);
        this.offers = new PeerOffers(pieceCount);
        this.requests = requests;
    }

    public int rank() {
        return rank;
    }

    /** Whether it is a cluster mate, of which any piece may be requested; of other peers only own work. */
    public boolean isLocal() {
        return local;
    }

    /** Whether it takes part and can be sent messages. */
    public boolean isReady() {
        return presence == Presence.READY;
    }

    /** Whether there is no connection to it any more. */
    public boolean isLost() {
        return presence == Presence.LOST;
    }

    /** Notes that it takes part; returns whether that is news. */
    public boolean becomeReady() {
        boolean isNews = presence != Presence.READY;
        if (isNews) {
            presence = Presence.READY;
        }
        return isNews;
    }

    /** Bars the peer for the rest of the multicast. */
    public void expel() {
        expelled = true;
    }

    /** Whether it may not come back. */
    public boolean isExpelled() {
        return expelled;
    }

    /** Notes that nothing comes from it though it owes pieces. */
    public void stall() {
        stalled = true;
    }

    /** Notes that something came from it. */
    public void revive() {
        stalled = false;
    }

    /** Whether nothing comes from it though it owes pieces. */
    public boolean isStalled() {
        return stalled;
    }

    /** Whether pieces may be requested of it: it is ready, not stalled, and was not told that we send no more. */
    public boolean mayBeAsked() {
        return presence == Presence.READY && !stalled && !end.isPeerToldToStop();
    }

    /** Notes that it is gone; returns whether that is news. */
    public boolean becomeLost() {
        boolean isNews = presence != Presence.LOST;
        presence = Presence.LOST;
        stalled = false;
        desiredByPeer.clear();
        offers.clear();
        requests.forgetCancelled();
        reliability.connectionLost();
        end.clear();
        return isNews;
    }

    /** The pieces that it desires of us and that we lack: it is sent a {@code have} for each of them that comes; a live set. */
    public PieceSet desiredByPeer() {
        return desiredByPeer;
    }

    /** The pieces that it offers. */
    public PeerOffers offers() {
        return offers;
    }

    /** The requests outstanding at this peer. */
    public OutstandingRequests requests() {
        return requests;
    }

    /** Whether it is worth asking. */
    public PeerReliability reliability() {
        return reliability;
    }

    /** How far the end is. */
    public EndHandshake end() {
        return end;
    }
}

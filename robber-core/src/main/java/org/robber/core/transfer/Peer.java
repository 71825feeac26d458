package org.robber.core.transfer;

import java.util.TreeSet;
import org.robber.core.piece.PieceSet;

/** What a node knows about one of its peers during a multicast. The classes of this package change it. */
public final class Peer {

    private enum Presence {
        /** Not yet heard of. */
        AWAITED,
        READY,
        /** Gone for good. */
        LOST
    }

    private final int rank;
    private final boolean local;

    private Presence presence = Presence.AWAITED;

    /** What it desires of us and we do not possess: a {@code have} is due for each of these once we do. */
    final PieceSet awaited;

    /** What it is known to possess of all we desired of it, less what it withholds. */
    final PieceSet offered;

    /** Pieces that it offers but refused or sent corrupt, while somebody else offers them. */
    final TreeSet<Integer> withheld = new TreeSet<>();

    final RequestWindow window;

    /** Desires sent for which no bitfield has come back yet. */
    int unansweredDesires;

    final Trust trust = new Trust();
    boolean doneSent;
    boolean doneReceived;
    boolean stopSent;
    boolean stopReceived;

    Peer(int rank, boolean local, int pieceCount, int requestWindow) {
        this.rank = rank;
        this.local = local;
        this.awaited = PieceSet.empty(pieceCount);
        this.offered = PieceSet.empty(pieceCount);
        this.window = new RequestWindow(requestWindow);
    }

    public int rank() {
        return rank;
    }

    /** Whether it is a cluster mate, of which anything may be requested; of other peers only own work. */
    public boolean isLocal() {
        return local;
    }

    /** Whether it takes part and can be sent messages. */
    public boolean isReady() {
        return presence == Presence.READY;
    }

    /** Whether it is gone for good. */
    public boolean isLost() {
        return presence == Presence.LOST;
    }

    /** Notes that it takes part; returns whether that is news. */
    public boolean becomeReady() {
        boolean isNews = presence == Presence.AWAITED;
        if (isNews) {
            presence = Presence.READY;
        }
        return isNews;
    }

    /** Notes that it is gone; returns whether that is news. */
    public boolean becomeLost() {
        boolean isNews = presence != Presence.LOST;
        presence = Presence.LOST;
        return isNews;
    }

    /** Whether it said that it will say no more. */
    public boolean hasStopped() {
        return stopReceived;
    }

    /** Whether we said that we will say no more. */
    public boolean isToldToStop() {
        return stopSent;
    }

    /** Whether it has answered every desire sent to it. */
    public boolean hasAnsweredDesires() {
        return unansweredDesires == 0;
    }

    /** The requests outstanding at this peer; a live view. */
    public RequestWindow window() {
        return window;
    }
}

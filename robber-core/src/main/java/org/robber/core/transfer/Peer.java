package org.robber.core.transfer;

import org.robber.core.piece.FewPieces;
import org.robber.core.piece.PieceSet;

/** What a node knows about one of its peers during a multicast. The classes of this package change it. */
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

    /** What it desires of us and we do not possess: a {@code have} is due for each of these once we do. */
    final PieceSet awaited;

    /** What it is known to possess of all we desired of it, less what it withholds. */
    final PieceSet offered;

    /** Pieces that it offers but refused or sent corrupt, while somebody else offers them. */
    FewPieces withheld = FewPieces.NONE;

    /** Pieces that were asked of it and then of others, for it stalled: its answers may still come. */
    FewPieces recalled = FewPieces.NONE;

    final RequestWindow window;

    /** Desires sent for which no bitfield has come back yet. */
    int unansweredDesires;

    final Trust trust = new Trust();
    boolean doneSent;
    boolean doneReceived;
    boolean stopSent;
    boolean stopReceived;

    Peer(int rank, boolean local, int pieceCount, RequestWindow window) {
        this.rank = rank;
        this.local = local;
        this.awaited = PieceSet.empty(pieceCount);
        this.offered = PieceSet.empty(pieceCount);
        this.window = window;
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

    /** Whether there is no connection to it any more. */
    public boolean isLost() {
        return presence == Presence.LOST;
    }

    /** Notes that it takes part; returns whether that is news. */
    public boolean becomeReady() {
        boolean isNews = presence != Presence.READY && !expelled;
        if (isNews) {
            presence = Presence.READY;
        }
        return isNews;
    }

    /** Does not want it back: it broke the protocol, or is gone for good. */
    void expel() {
        expelled = true;
    }

    /** Whether it may not come back. */
    public boolean isExpelled() {
        return expelled;
    }

    /** Notes that nothing comes from it though it owes pieces. */
    void stall() {
        stalled = true;
    }

    /** Notes that something came from it. */
    void revive() {
        stalled = false;
    }

    /** Whether nothing comes from it though it owes pieces. */
    public boolean isStalled() {
        return stalled;
    }

    /** Whether it can be asked for pieces: it is ready, and something came from it lately if it owed any. */
    public boolean mayBeAsked() {
        return presence == Presence.READY && !stalled;
    }

    /** Notes that it is gone; returns whether that is news. */
    public boolean becomeLost() {
        boolean isNews = presence != Presence.LOST;
        presence = Presence.LOST;
        forget();
        return isNews;
    }

    /** What was said over a connection is void once that is gone; the requests are for others to take back. */
    private void forget() {
        stalled = false;
        awaited.clear();
        offered.clear();
        withheld = FewPieces.NONE;
        recalled = FewPieces.NONE;
        unansweredDesires = 0;
        doneSent = false;
        doneReceived = false;
        stopSent = false;
        stopReceived = false;
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

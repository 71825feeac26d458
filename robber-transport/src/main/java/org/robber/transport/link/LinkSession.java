package org.robber.transport.link;

import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.Message;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.protocol.Message.PieceBlock;
import org.robber.core.protocol.UnansweredRequests;
import org.robber.core.wire.MessageCodec;

/**
 * The multicast that a connection serves now. Knows whether both ends have begun the same one, and by which number the transfer knows the
 * peer; passes on the peer's messages to the transfer. Belongs to the connection's event loop.
 */
final class LinkSession {
    private final PeerLink link;
    private final LinkListener listener;

    private MessageCodec codec = MessageCodec.betweenMulticasts();
    private @Nullable Transfer transfer;
    private @Nullable Begin ours;
    private @Nullable Begin theirs;

    /** Requests of the peer; null before the first multicast. */
    private @Nullable UnansweredRequests requests;

    /** The number of the peer in the multicast: its rank, unless nodes were lost before. */
    private int number;

    LinkSession(PeerLink link, LinkListener listener) {
        this.link = link;
        this.listener = listener;
    }

    MessageCodec codec() {
        return codec;
    }

    @SuppressWarnings("ReferenceEquality") // this very transfer
    boolean serves(Transfer other) {
        return transfer == other;
    }

    /** Another multicast begins here. */
    void begin(Begin begin, Transfer next, int peerNumber) {
        number = peerNumber;
        next.attach(peerNumber, link);
        transfer = next;
        codec = next.codec();
        requests = next.unansweredRequests(peerNumber);
        ours = begin;
    }

    /** Another multicast begins at the peer. */
    void peerBegins(Begin begin) {
        theirs = begin;
        match();
    }

    /** Compares the multicasts that both have begun; one that the peer has begun earlier waits. */
    void match() {
        Begin mine = ours;
        Begin other = theirs;
        Transfer current = transfer;
        if (mine == null || other == null || current == null || other.sequence() > mine.sequence()) {
            return;
        }
        theirs = null;
        if (mine.equals(other)) {
            current.peerReady(number);
        } else if (other.sequence() == mine.sequence()) {
            listener.mismatch(link, mine, other);
        }
    }

    /** Returns whether there is a multicast that the message can belong to. */
    boolean received(Message message, ReadGate gate) {
        Transfer current = transfer;
        if (current != null) {
            current.received(number, message, gate);
        }
        return current != null;
    }

    /** The peer requests a piece; returns false if more of its requests are unanswered than may be. */
    boolean requested(int piece) {
        UnansweredRequests current = requests;
        return current == null || current.requested(piece);
    }

    /** A request of the peer has been answered or cancelled. */
    void settled(int piece) {
        UnansweredRequests current = requests;
        if (current != null) {
            current.settled(piece);
        }
    }

    /** Whether so many pieces may wait to be sent to the peer. */
    boolean maySend(int waitingPieces) {
        UnansweredRequests current = requests;
        return current != null && waitingPieces <= current.limit();
    }

    BlockPlace placeFor(PieceBlock block, BlockReader reader) {
        Transfer current = transfer;
        return current == null ? BlockPlace.DISCARD : current.intake().placeFor(number, block, reader);
    }

    void blockReceived(PieceBlock block) {
        Transfer current = transfer;
        if (current != null) {
            current.blockReceived(number, block);
        }
    }

    /** Whether requests to the peer are unanswered. */
    boolean isOwed() {
        Transfer current = transfer;
        return current != null && current.intake().isOwedBy(number);
    }

    /** The peer owes pieces and sends nothing. */
    void stalled() {
        Transfer current = transfer;
        if (current != null) {
            current.peerStalled(number);
        }
    }

    /** Something came from a peer that had stalled. */
    void revived() {
        Transfer current = transfer;
        if (current != null) {
            current.peerRevived(number);
        }
    }

    /** Nothing more comes on this connection. */
    void end() {
        Transfer current = transfer;
        if (current != null) {
            current.intake().forgetAllFrom(number);
        }
    }

    /** As {@link #end}, and unless another connection has taken the place of this one, the peer is lost to the multicast. */
    void lost() {
        Transfer current = transfer;
        if (current != null) {
            current.peerLost(number, link);
        }
    }

    /** Something failed in this process, without a fault of the peer. */
    void crashed(Throwable cause) {
        Transfer current = transfer;
        if (current != null) {
            current.crashed(cause);
        }
    }
}

package org.robber.transport.link;

import org.jspecify.annotations.Nullable;
import org.robber.core.protocol.Message;
import org.robber.core.protocol.Message.Begin;
import org.robber.core.protocol.Message.PieceBlock;
import org.robber.core.protocol.UnansweredRequests;
import org.robber.core.wire.MessageCodec;
import org.robber.transport.link.frame.BlockPlace;
import org.robber.transport.link.frame.BlockReader;
import org.robber.transport.link.frame.FrameSink;
import org.robber.transport.link.frame.ReadGate;

/**
 * The multicast that a connection serves now. Knows whether both ends have begun the same one, and by which number the transfer knows the
 * peer; passes on the peer's messages and blocks to the transfer. Belongs to the connection's event loop.
 */
final class LinkSession implements FrameSink {
    private final PeerLink link;
    private final ReadGate gate;
    private final LinkListener listener;

    private MessageCodec codec = MessageCodec.betweenMulticasts();
    private @Nullable Transfer transfer;
    private final PeerCodecs incoming = new PeerCodecs();

    /** The last multicast that has ended at this node. */
    private @Nullable Begin ended;

    /** What the machine has said to the peer of the end of our multicast, on this connection. */
    private boolean saidDone;

    private boolean saidStop;

    /** Requests of the peer; null before the first multicast. */
    private @Nullable UnansweredRequests requests;

    /** The number of the peer in the multicast: its rank, unless nodes were lost before. */
    private int number;

    LinkSession(PeerLink link, ReadGate gate, LinkListener listener) {
        this.link = link;
        this.gate = gate;
        this.listener = listener;
    }

    /** For what is sent. */
    MessageCodec ownCodec() {
        return codec;
    }

    /** For what comes. */
    @Override
    public MessageCodec codec() {
        return incoming.current();
    }

    /** Whether it serves the transfer with these links. */
    @SuppressWarnings("ReferenceEquality") // these very links
    boolean serves(TransferLinks other) {
        Transfer current = transfer;
        return current != null && current.links() == other;
    }

    /** Another multicast begins here. */
    void begin(Begin begin, Transfer next, int peerNumber) {
        number = peerNumber;
        next.links().attach(peerNumber, link);
        transfer = next;
        codec = next.codec();
        incoming.begin(begin, codec);
        requests = next.unansweredRequests(peerNumber);
        saidDone = false;
        saidStop = false;
    }

    /** Another multicast begins at the peer. */
    private void peerBegins(Begin begin) {
        incoming.peerBegins(begin);
        Begin over = ended;
        if (over != null && over.equals(begin)) {
            tellEnd(over);
        } else {
            match();
        }
    }

    /**
     * A multicast has ended at this node, because every node has everything. A peer on a new connection may still wait for its end: it is told
     * now, or when it begins that multicast here.
     */
    void ended(Begin over) {
        if (over.equals(ended)) {
            // A connection that opens at the end of a multicast hears of the end by both.
            return;
        }
        ended = over;
        if (over.equals(incoming.theirs())) {
            tellEnd(over);
        }
    }

    /** Says what the peer lacks of the end: all of it where its multicast was never begun on this connection. */
    private void tellEnd(Begin over) {
        Begin ours = incoming.ours();
        boolean begunHere = over.equals(ours);
        if (!begunHere) {
            link.write(over);
        }
        if (!begunHere || !saidDone) {
            link.write(new Message.Done());
        }
        if (!begunHere || !saidStop) {
            link.write(new Message.Stop());
        }
        if (begunHere) {
            saidDone = true;
            saidStop = true;
        } else if (ours != null) {
            // The peer keeps only the last one that it was told.
            link.write(ours);
        }
        link.flush();
    }

    /** Whether the machine of the last multicast has nothing to say any more. */
    boolean isOver() {
        return ended != null && ended.equals(incoming.ours());
    }

    /** The machine says this to the peer. */
    void says(Message message) {
        saidDone |= message instanceof Message.Done;
        saidStop |= message instanceof Message.Stop;
    }

    /** Whether what comes from the peer belongs to a multicast that has ended here, well or not. */
    private boolean isPeerLate() {
        Begin ours = incoming.ours();
        Begin theirs = incoming.theirs();
        return theirs != null
                && ((ended != null && theirs.sequence() <= ended.sequence())
                        || (ours != null && theirs.sequence() < ours.sequence()));
    }

    /** Compares the multicasts that both have begun; one that the peer has begun earlier waits. */
    void match() {
        Begin mine = incoming.ours();
        Begin other = incoming.theirs();
        Transfer current = transfer;
        if (mine == null || other == null || current == null || other.sequence() > mine.sequence()) {
            return;
        }
        if (mine.equals(other)) {
            current.links().ready(number, link);
        } else if (other.sequence() == mine.sequence()) {
            listener.mismatch(link, mine, other);
        }
    }

    @Override
    public boolean mayRead() {
        return gate.mayRead();
    }

    @Override
    public void received(Message message) {
        switch (message.type()) {
            case BEGIN -> peerBegins((Begin) message);
            case KEEP_ALIVE -> {
                // Its arrival is all it says.
            }
            case ABORT -> link.abandoned((Message.Abort) message);
            case REQUEST -> {
                if (requested(((Message.Request) message).piece())) {
                    passOn(message);
                } else {
                    violated(PeerLink.TOO_MANY_REQUESTS);
                }
            }
            case CANCEL -> {
                if (!isPeerLate()) {
                    settled(((Message.Cancel) message).piece());
                }
                passOn(message);
            }
            default -> passOn(message);
        }
    }

    private void passOn(Message message) {
        Transfer current = transfer;
        if (isPeerLate()) {
            return;
        }
        if (current == null) {
            violated("it sent " + message.type() + " before any multicast");
        } else {
            current.received(number, message, gate);
        }
    }

    /** The peer requests a piece; returns false if more of its requests are unanswered than may be. */
    private boolean requested(int piece) {
        UnansweredRequests current = requests;
        return current == null || isPeerLate() || current.requested(piece);
    }

    @Override
    public void violated(String why) {
        link.violated(why);
    }

    /** A request of the peer has been answered. */
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

    @Override
    public BlockPlace placeFor(PieceBlock block, BlockReader reader) {
        Transfer current = transfer;
        return current == null || isPeerLate()
                ? BlockPlace.DISCARD
                : current.intake().placeFor(number, block, reader);
    }

    @Override
    public void blockReceived(PieceBlock block) {
        Transfer current = transfer;
        if (current != null) {
            current.blockReceived(number, block);
        }
        link.bytesMoved();
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

    /** Nothing more comes on this connection. Unless another has taken its place, the peer is lost to the multicast. */
    void lost() {
        Transfer current = transfer;
        if (current != null) {
            current.links().detach(number, link);
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

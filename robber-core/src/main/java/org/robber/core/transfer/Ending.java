package org.robber.core.transfer;

import static org.robber.core.transfer.ProtocolBreach.unless;

import org.robber.core.node.Action;
import org.robber.core.peer.Peer;
import org.robber.core.peer.PeerTable;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;

/**
 * The end of a multicast. A node sends {@code done} to all peers at the last piece, and {@code stop} to a peer once both are done.
 * It is finished once it has stopped with all of them.
 */
public final class Ending {
    private final Possession possession;
    private final PeerTable peers;
    private final Outbox outbox;
    private final boolean staysForAll;
    private boolean completed;
    private boolean finished;

    /** A node that has not begun. */
    public Ending(Possession possession, PeerTable peers, Outbox outbox) {
        this(possession, peers, outbox, /* staysForAll= */ false);
    }

    /**
     * A node that has not begun.
     *
     * @param staysForAll whether it sends no {@code stop} until all its peers are done, because it may bring pieces for any of them
     */
    public Ending(Possession possession, PeerTable peers, Outbox outbox, boolean staysForAll) {
        this.staysForAll = staysForAll;
        this.possession = possession;
        this.peers = peers;
        this.outbox = outbox;
    }

    /** A piece came or was given up. Sends {@code done} to all peers if nothing is lacked any more. */
    public void completeIfNothingIsLacked() {
        if (!completed && possession.isComplete()) {
            completed = true;
            PieceSet givenUp = possession.givenUp();
            outbox.add(givenUp.isEmpty() ? new Action.Completed() : new Action.Incomplete(givenUp.copy()));
            peers.all().forEach(this::sayDone);
            stopIfAllDone();
            finishIfStopped();
        }
    }

    /** The peer can be sent messages. */
    public void peerReady(Peer peer) {
        sayDone(peer);
    }

    /** The peer possesses everything. */
    public void doneReceived(Peer peer) {
        unless(peer.end().doneReceived(), "done twice");
        stopIfBothDone(peer);
    }

    /** The peer sent {@code stop}: both nodes are done, and it sends nothing more. */
    public void stopReceived(Peer peer) {
        unless(peer.end().stopReceived(), "stop before both are done");
        finishIfStopped();
    }

    /** Whether nothing more will be sent or received. */
    public boolean isFinished() {
        return finished;
    }

    /** The peer is gone: nothing more is expected of it. */
    public void peerLost() {
        stopIfAllDone();
        finishIfStopped();
    }

    private void sayDone(Peer peer) {
        if (completed && peer.isReady()) {
            peer.end().doneSent();
            outbox.send(peer, new Message.Done());
            stopIfBothDone(peer);
        }
    }

    private void stopIfBothDone(Peer peer) {
        if (staysForAll) {
            stopIfAllDone();
        } else if (peer.end().areBothDone()) {
            stop(peer);
        }
    }

    private void stopIfAllDone() {
        if (staysForAll
                && completed
                && peers.all().stream()
                        .allMatch(peer -> peer.isLost() || peer.end().areBothDone())) {
            peers.all().stream()
                    .filter(peer -> !peer.isLost() && !peer.end().isPeerToldToStop())
                    .forEach(this::stop);
        }
    }

    private void stop(Peer peer) {
        peer.end().stopSent();
        outbox.send(peer, new Message.Stop());
    }

    private void finishIfStopped() {
        if (completed
                && !finished
                && peers.all().stream()
                        .allMatch(peer -> peer.isLost() || peer.end().isOver())) {
            finished = true;
            outbox.add(new Action.Finished());
        }
    }
}

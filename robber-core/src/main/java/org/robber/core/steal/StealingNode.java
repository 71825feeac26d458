package org.robber.core.steal;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.NodeCounters;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.TimerKey;
import org.robber.core.peer.Peer;
import org.robber.core.peer.PeerTable;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.transfer.Ending;
import org.robber.core.transfer.EventRouter;
import org.robber.core.transfer.NoProgressWatch;
import org.robber.core.transfer.Outbox;

/**
 * One node of a multicast in which clusters steal pieces from one another. It hands each event to the part that it concerns:
 * what we want ({@link PieceStealing}), what others want ({@link UploadSide}), what losses leave behind ({@link OrphanedWork},
 * {@link NoProgressWatch}), the end ({@link Ending}), and to what the strategy does about work ({@link WorkPolicy}).
 */
public final class StealingNode implements MulticastNode, EventRouter.Listener {
    private final PieceStealing stealing;
    private final PieceLedger ledger;
    private final Requests requests;
    private final Outbox outbox;
    private final WorkPolicy labour;
    private final EventRouter router;
    private final UploadSide serving;
    private final Ending ending;
    private final OrphanedWork inheritance;
    private final NoProgressWatch noProgress;

    /**
     * A node that has not begun.
     *
     * @param stealing of the same setup, and of nobody else
     */
    public StealingNode(NodeSetup setup, PieceStealing stealing, WorkPolicy labour) {
        this.stealing = stealing;
        this.labour = labour;
        ledger = stealing.ledger();
        requests = stealing.requests();
        outbox = stealing.outbox();
        PeerTable peers = stealing.peers();
        router = new EventRouter(peers, outbox, this);
        serving = new UploadSide(ledger, peers, outbox);
        ending = new Ending(ledger.possession(), peers, outbox);
        inheritance = new OrphanedWork(setup, ledger, peers, outbox);
        noProgress = new NoProgressWatch(ledger.possession(), outbox);
    }

    @Override
    public List<Action> start(long nowNanos) {
        router.start();
        ending.completeIfNothingIsLacked();
        inheritance.proceed(nowNanos);
        return outbox.drain();
    }

    @Override
    public List<Action> handle(long nowNanos, Event event) {
        requests.advanceTo(nowNanos);
        router.route(event);
        requests.reassignAvoided();
        labour.proceed();
        inheritance.proceed(nowNanos);
        noProgress.proceed(nowNanos);
        return outbox.drain();
    }

    @Override
    public void peerReady(Peer peer) {
        noProgress.progressed();
        stealing.peerReady(peer);
        labour.peerReady(peer);
        ending.peerReady(peer);
    }

    @Override
    public void received(Peer peer, Message message) {
        switch (message.type()) {
            case DESIRE -> serving.desireReceived(peer, ((Message.Desire) message).pieces());
            case REQUEST -> serving.requestReceived(peer, ((Message.Request) message).piece());
            case CANCEL -> serving.cancelReceived(peer, ((Message.Cancel) message).piece());
            case BITFIELD -> stealing.bitfieldReceived(peer, (Message.Bitfield) message);
            case HAVE -> stealing.haveReceived(peer, (Message.Have) message);
            case REJECT -> workMayHaveComeBack(requests.rejectReceived(peer, ((Message.Reject) message).piece()));
            case DONE -> ending.doneReceived(peer);
            case STOP -> ending.stopReceived(peer);
            default -> labour.received(peer, message);
        }
    }

    @Override
    public void pieceBegun(Peer from, int waiting) {
        requests.pieceBegun(from, waiting);
    }

    @Override
    public void pieceStored(Peer from, int piece) {
        if (requests.pieceStored(from, piece)) {
            noProgress.progressed();
            serving.announce(piece, from);
            ending.completeIfNothingIsLacked();
        }
        requests.fill(from);
    }

    @Override
    public void pieceCorrupt(Peer from, int piece) {
        boolean isOnceTooOften = requests.recordCorrupt(from);
        if (isOnceTooOften && !from.isLost()) {
            router.disconnect(from, "too many corrupt pieces");
        } else {
            workMayHaveComeBack(requests.requestFailed(from, piece));
        }
    }

    @Override
    public void peerLost(Peer peer) {
        if (labour.awaitsWorkOf(peer)) {
            inheritance.workMayBeLost();
        }
        boolean workCameBack = requests.peerLost(peer);
        desireAgainIf(workCameBack);
        labour.peerLost(peer, workCameBack);
        ending.peerLost();
    }

    @Override
    public void peerStalled(Peer peer) {
        boolean workCameBack = requests.peerStalled(peer);
        desireAgainIf(workCameBack);
        labour.peerStalled(peer, workCameBack);
    }

    @Override
    public void peerRevived(Peer peer) {
        requests.fill(peer);
    }

    @Override
    public void nodeLost(@Nullable Peer lost) {
        if (lost != null) {
            inheritance.nodeLost(lost);
        }
        noProgress.lossHeard();
    }

    @Override
    public void givenUp(PieceSet pieces) {
        ledger.giveUp(pieces);
        ending.completeIfNothingIsLacked();
    }

    @Override
    public void timerFired(TimerKey key) {
        if (key == TimerKey.INHERIT) {
            workMayHaveComeBack(inheritance.timerFired());
        } else if (key == TimerKey.STARVE) {
            labour.quietPeriodEnded();
            noProgress.timerFired(ledger.pendingCount() > 0 || inheritance.isPending() || labour.isExpectingWork());
        }
    }

    private void workMayHaveComeBack(boolean workCameBack) {
        desireAgainIf(workCameBack);
        if (workCameBack) {
            labour.workCameBack();
        }
    }

    /** What was pending was no longer part of what peers know us to desire. */
    private void desireAgainIf(boolean workCameBack) {
        if (workCameBack) {
            stealing.desireWorkOutside();
        }
    }

    @Override
    public PieceSet possession() {
        return ledger.possession().pieces();
    }

    @Override
    public NodeCounters counters() {
        return stealing.tally().snapshot();
    }
}

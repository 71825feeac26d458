package org.robber.core.mob;

import java.util.List;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.NodeCounters;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.TimerKey;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.random.SeededRandom;
import org.robber.core.transfer.Ending;
import org.robber.core.transfer.EventRouter;
import org.robber.core.transfer.Inheritance;
import org.robber.core.transfer.Outbox;
import org.robber.core.transfer.Peer;
import org.robber.core.transfer.PeerTable;
import org.robber.core.transfer.PieceLedger;
import org.robber.core.transfer.ProtocolBreach;
import org.robber.core.transfer.RequestStyle;
import org.robber.core.transfer.Requests;
import org.robber.core.transfer.Serving;
import org.robber.core.transfer.Starvation;
import org.robber.core.transfer.Tally;
import org.robber.core.transfer.Turns;
import org.robber.core.transfer.Wishes;

/**
 * One node of a MOB multicast: it steals its share of the pieces from other clusters, whatever its line is like, and gets
 * all others from cluster mates. Robber without the stealing of work.
 *
 * <p>Source: den Burger and Kielmann, "MOB: Zero-configuration High-throughput Multicasting for Grid Applications", HPDC
 * 2007, pp. 159-168.
 */
final class MobNode implements MulticastNode, EventRouter.Listener {
    private final PeerTable peers;
    private final PieceLedger ledger;
    private final Tally tally = new Tally();
    private final Outbox outbox = new Outbox();
    private final EventRouter router;
    private final Wishes wishes;
    private final Requests requests;
    private final Serving serving;
    private final Ending ending;
    private final Inheritance inheritance;
    private final Starvation starvation;

    MobNode(NodeSetup setup, RequestStyle style) {
        SeededRandom random = SeededRandom.forUse(setup.seed(), setup.rank());
        peers = PeerTable.of(setup);
        router = new EventRouter(peers, outbox, this);
        ledger = new PieceLedger(setup.possession(), setup.share());
        wishes = new Wishes(ledger, outbox);
        requests = new Requests(
                ledger, Turns.unlimited(setup, ledger, peers, random, outbox), peers, random, style, tally, outbox);
        serving = new Serving(ledger, peers, outbox);
        ending = new Ending(peers, outbox);
        inheritance = new Inheritance(setup, ledger, peers, outbox);
        starvation = new Starvation(ledger.possession(), ledger::lacked, outbox);
    }

    @Override
    public List<Action> start(long nowNanos) {
        router.start();
        if (ledger.isComplete()) {
            ending.complete(ledger.givenUp());
        }
        inheritance.proceed(nowNanos);
        return outbox.drain();
    }

    @Override
    public List<Action> handle(long nowNanos, Event event) {
        requests.advanceTo(nowNanos);
        router.route(event);
        requests.reconsiderWithheld();
        inheritance.proceed(nowNanos);
        starvation.proceed(nowNanos);
        return outbox.drain();
    }

    @Override
    public void peerReady(Peer peer) {
        starvation.hopeCame();
        PieceSet wanted = peer.isLocal() ? ledger.lacked() : ledger.ownWork().copy();
        if (!wanted.isEmpty()) {
            wishes.desire(peer, wanted);
        }
        ending.peerReady(peer);
    }

    @Override
    public void received(Peer peer, Message message) {
        switch (message.type()) {
            case DESIRE -> serving.desireReceived(peer, ((Message.Desire) message).pieces());
            case REQUEST -> serving.requestReceived(peer, ((Message.Request) message).piece());
            case CANCEL -> serving.cancelReceived(peer, ((Message.Cancel) message).piece());
            case BITFIELD -> {
                wishes.bitfieldReceived(peer, ((Message.Bitfield) message).pieces());
                requests.fill(peer);
            }
            case HAVE -> {
                int piece = ((Message.Have) message).piece();
                wishes.haveReceived(peer, piece);
                requests.askFor(peer, piece);
            }
            case REJECT -> {
                if (requests.rejectReceived(peer, ((Message.Reject) message).piece())) {
                    desireWorkOutside();
                }
            }
            case DONE -> ending.doneReceived(peer);
            case STOP -> ending.stopReceived(peer);
            default -> throw new ProtocolBreach(message.type() + " has no place in this strategy");
        }
    }

    @Override
    public void pieceBegun(Peer from, int waiting) {
        requests.pieceBegun(from, waiting);
    }

    @Override
    public void pieceStored(Peer from, int piece) {
        if (requests.pieceStored(from, piece)) {
            starvation.hopeCame();
            serving.announce(piece, from);
            completeIfNothingIsLacked();
        }
        requests.fill(from);
    }

    @Override
    public void pieceCorrupt(Peer from, int piece) {
        boolean isOnceTooOften = requests.blame(from);
        if (isOnceTooOften && !from.isLost()) {
            router.disconnect(from, "too many corrupt pieces");
        } else if (requests.takeBack(from, piece)) {
            desireWorkOutside();
        }
    }

    @Override
    public void peerLost(Peer peer) {
        if (requests.peerLost(peer)) {
            desireWorkOutside();
        }
        ending.peerLost();
        inheritance.peerLost(peer);
    }

    @Override
    public void peerStalled(Peer peer) {
        if (requests.peerStalled(peer)) {
            desireWorkOutside();
        }
    }

    @Override
    public void peerRevived(Peer peer) {
        requests.fill(peer);
    }

    @Override
    public void nodeLost() {
        starvation.lossHeard();
    }

    @Override
    public void givenUp(PieceSet pieces) {
        ledger.giveUp(pieces);
        completeIfNothingIsLacked();
    }

    private void completeIfNothingIsLacked() {
        if (ledger.isComplete() && !ending.isCompleted()) {
            ending.complete(ledger.givenUp());
        }
    }

    @Override
    public void timerFired(TimerKey key) {
        if (key == TimerKey.INHERIT && inheritance.timerFired()) {
            desireWorkOutside();
        } else if (key == TimerKey.STARVE) {
            starvation.timerFired(ledger.pendingCount() > 0 || inheritance.isPending());
        }
    }

    /** Own work that was pending is open again, and is no longer part of what the peers know us to desire. */
    private void desireWorkOutside() {
        PieceSet work = ledger.ownWork().copy();
        for (Peer peer : peers.globals()) {
            if (peer.isReady()) {
                wishes.desire(peer, work);
            }
        }
    }

    @Override
    public PieceSet possession() {
        return ledger.possession();
    }

    @Override
    public NodeCounters counters() {
        return tally.snapshot();
    }

    PieceLedger ledger() {
        return ledger;
    }

    PeerTable peers() {
        return peers;
    }
}

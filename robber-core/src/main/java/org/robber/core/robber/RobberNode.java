package org.robber.core.robber;

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
 * One node of a Robber multicast. It routes each event to the part that it concerns: what we want ({@link Wishes},
 * {@link Requests}), what others want ({@link Serving}), stealing of work ({@link WorkStealing}), the end
 * ({@link Ending}).
 *
 * <p>Source: den Burger and Kielmann, "Collective Receiver-Initiated Multicast for Grid Applications", IEEE TPDS 22(2),
 * 2011, pp. 231-244; {@code docs/algorithm.md} tells where this implementation differs from the published one.
 */
public final class RobberNode implements MulticastNode, EventRouter.Listener {
    private final PeerTable peers;
    private final PieceLedger ledger;
    private final Tally tally = new Tally();
    private final Outbox outbox = new Outbox();
    private final EventRouter router;
    private final Wishes wishes;
    private final Turns turns;
    private final Requests requests;
    private final Serving serving;
    private final WorkStealing stealing;
    private final Ending ending;
    private final Inheritance inheritance;
    private final Starvation starvation;

    /** A node that has not begun. */
    public RobberNode(NodeSetup setup) {
        this(setup, RequestStyle.PACED);
    }

    /** A node that has not begun, and asks other clusters in this style. */
    public RobberNode(NodeSetup setup, RequestStyle style) {
        SeededRandom random = SeededRandom.forUse(setup.seed(), setup.rank());
        peers = PeerTable.of(setup);
        ledger = new PieceLedger(setup.possession(), setup.share());
        router = new EventRouter(peers, outbox, this);
        wishes = new Wishes(ledger, outbox);
        turns = Turns.limited(setup, ledger, peers, random, outbox);
        requests = new Requests(ledger, turns, peers, random, style, tally, outbox);
        serving = new Serving(ledger, peers, outbox);
        stealing = new WorkStealing(
                !setup.topology().sameCluster(setup.rank(), setup.rootRank()),
                style == RequestStyle.PACED,
                ledger,
                peers,
                wishes,
                requests,
                random,
                tally,
                outbox);
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
        stealing.proceed();
        inheritance.proceed(nowNanos);
        turns.proceed(nowNanos);
        starvation.proceed(nowNanos);
        return outbox.drain();
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
                    stealing.workCameBack();
                }
            }
            case STEAL -> stealing.stealReceived(peer, (Message.Steal) message);
            case WORK -> stealing.workReceived(peer, ((Message.Work) message).pieces());
            case FOUND_WORK -> stealing.foundWorkReceived(peer);
            case DONE -> ending.doneReceived(peer);
            case STOP -> ending.stopReceived(peer);
            case PIECE, BEGIN, KEEP_ALIVE, ABORT -> throw new ProtocolBreach("message that is for drivers only");
            default -> throw new ProtocolBreach(message.type() + " has no place in this strategy");
        }
    }

    @Override
    public void peerReady(Peer peer) {
        starvation.hopeCame();
        PieceSet wanted = peer.isLocal() ? ledger.lacked() : ledger.ownWork().copy();
        if (!wanted.isEmpty()) {
            wishes.desire(peer, wanted);
        }
        stealing.peerReady(peer);
        ending.peerReady(peer);
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
            stealing.workCameBack();
        }
    }

    @Override
    public void peerLost(Peer peer) {
        stealing.peerLost(peer, requests.peerLost(peer));
        ending.peerLost();
        inheritance.peerLost(peer);
    }

    @Override
    public void peerStalled(Peer peer) {
        stealing.peerStalled(peer, requests.peerStalled(peer));
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
            stealing.workCameBack();
        } else if (key == TimerKey.TURN && turns.timerFired()) {
            requests.fill(peers.globals());
        } else if (key == TimerKey.STARVE) {
            starvation.timerFired(ledger.pendingCount() > 0
                    || inheritance.isPending()
                    || stealing.phase() != WorkStealing.Phase.WORKING);
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

    WorkStealing stealing() {
        return stealing;
    }
}

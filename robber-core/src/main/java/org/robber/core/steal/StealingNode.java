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
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.transfer.Ending;
import org.robber.core.transfer.EventRouter;
import org.robber.core.transfer.NoProgressWatch;
import org.robber.core.transfer.Outbox;

/**
 * One node of a multicast in which clusters steal pieces from one another. It hands each event to the part that it concerns: what is
 * desired and offered ({@link PieceExchange}), what is requested ({@link Requests}), what losses leave behind ({@link OrphanedWork},
 * {@link AbsentMates}, {@link NoProgressWatch}), the end ({@link Ending}), and to what the strategy does about work ({@link WorkPolicy}).
 *
 * <p>Source: den Burger and Kielmann, "Collective Receiver-Initiated Multicast for Grid Applications", IEEE TPDS 22(2),
 * 2011, pp. 231-244; {@code docs/explanation/algorithm.md} tells where this implementation differs from the published one.
 */
public final class StealingNode implements MulticastNode, EventRouter.Listener {
    private static final WorkPolicy SHARES_STAY = new WorkPolicy() {};

    private final NodeParts parts;
    private final PieceLedger ledger;
    private final Outbox outbox;
    private final PieceExchange exchange;
    private final Requests requests;
    private final WorkPolicy policy;
    private final EventRouter router;
    private final Ending ending;
    private final OrphanedWork orphanedWork;
    private final AbsentMates absentMates;
    private final NoProgressWatch noProgress;
    private final Relays relays;
    private final ProductWindow products;

    StealingNode(NodeParts parts, PieceExchange exchange, Relays relays, Requests requests, WorkPolicy policy) {
        this.parts = parts;
        this.exchange = exchange;
        this.requests = requests;
        this.policy = policy;
        this.relays = relays;
        this.products = new ProductWindow(parts);
        ledger = parts.ledger();
        outbox = parts.outbox();
        router = new EventRouter(parts.peers(), outbox, this);
        ending = new Ending(ledger.possession(), parts.peers(), outbox, relays.areUsed());
        orphanedWork = new OrphanedWork(parts);
        absentMates = new AbsentMates(ledger.possession(), outbox);
        noProgress = new NoProgressWatch(ledger.possession(), outbox);
    }

    /** A node of Robber that has not begun: cluster mates may steal its work, and it steals theirs. */
    static StealingNode ofRobber(NodeSetup setup, StealingVariant variant) {
        NodeParts parts = NodeParts.of(setup, variant);
        PieceExchange exchange = new PieceExchange(parts);
        Relays relays = new Relays(parts, exchange, true);
        Requests requests = new Requests(parts, relays);
        return new StealingNode(parts, exchange, relays, requests, new WorkStealing(parts, exchange, requests));
    }

    /** A node of MOB that has not begun: each node keeps the work that it was given. */
    static StealingNode ofMob(NodeSetup setup, StealingVariant variant) {
        NodeParts parts = NodeParts.of(setup, variant);
        PieceExchange exchange = new PieceExchange(parts);
        Relays relays = new Relays(parts, exchange, false);
        return new StealingNode(parts, exchange, relays, new Requests(parts, relays), SHARES_STAY);
    }

    NodeParts parts() {
        return parts;
    }

    WorkPolicy policy() {
        return policy;
    }

    @Override
    public List<Action> start(long nowNanos) {
        router.start();
        ending.completeIfNothingIsLacked();
        orphanedWork.afterEvent(nowNanos);
        return outbox.drain();
    }

    @Override
    public List<Action> handle(long nowNanos, Event event) {
        requests.advanceTo(nowNanos);
        router.route(event);
        requests.reassignAvoided();
        policy.afterEvent();
        requests.afterEvent();
        if (relays.afterEvent(nowNanos)) {
            requests.fill(parts.peers().all());
        }
        absentMates.afterEvent(nowNanos);
        orphanedWork.afterEvent(nowNanos);
        noProgress.afterEvent(nowNanos);
        return outbox.drain();
    }

    @Override
    public void peerReady(Peer peer) {
        noProgress.progressed();
        absentMates.ready(peer);
        exchange.peerReady(peer);
        policy.peerReady(peer);
        ending.peerReady(peer);
        requests.fill(peer);
    }

    @Override
    public void received(Peer peer, Message message) {
        switch (message.type()) {
            case DESIRE -> exchange.desireReceived(peer, ((Message.Desire) message).pieces());
            case REQUEST -> exchange.requestReceived(peer, ((Message.Request) message).piece());
            case CANCEL -> exchange.cancelReceived(peer, ((Message.Cancel) message).piece());
            case BITFIELD -> {
                PieceSet pieces = ((Message.Bitfield) message).pieces();
                exchange.bitfieldReceived(peer, pieces);
                relays.offered(peer, pieces);
                requests.fill(peer);
            }
            case HAVE -> {
                int piece = ((Message.Have) message).piece();
                exchange.haveReceived(peer, piece);
                relays.offered(peer, piece);
                requests.askFor(peer, piece);
            }
            case REJECT -> ownWorkMayHaveGrown(requests.rejectReceived(peer, ((Message.Reject) message).piece()));
            case DONE -> {
                relays.bringNothingFor(peer);
                ending.doneReceived(peer);
            }
            case STOP -> {
                ending.stopReceived(peer);
                relays.returnUnobtainable();
            }
            case WORK -> {
                PieceSet pieces = ((Message.Work) message).pieces();
                if (peer.isLocal() && !relays.areEntrusted(peer, pieces)) {
                    policy.received(peer, message);
                } else if (relays.workReceived(peer, pieces)) {
                    ownWorkMayHaveGrown(true);
                }
            }
            case FOUND_WORK -> {
                policy.received(peer, message);
                orphanedWork.mateFoundWork();
            }
            default -> policy.received(peer, message);
        }
    }

    @Override
    public void pieceBegun(Peer from, int waiting) {
        requests.pieceBegun(from, waiting);
    }

    @Override
    public void pieceStored(Peer from, int piece) {
        if (requests.pieceStored(from, piece)) {
            possess(piece, from);
            requestResumedIf(products.possessed(piece));
        }
        relays.pieceStored(from, piece, requests.nowNanos());
        requests.fillLine(from);
    }

    @Override
    public void pieceProduced(int piece) {
        if (ledger.store(piece)) {
            possess(piece, null);
            requestResumedIf(products.possessed(piece));
        }
    }

    private void requestResumedIf(boolean someAreResumed) {
        if (someAreResumed) {
            relays.loadChanged();
            requests.fill(parts.peers().all());
        }
    }

    private void possess(int piece, @Nullable Peer from) {
        noProgress.progressed();
        exchange.announce(piece, from);
        ending.completeIfNothingIsLacked();
    }

    @Override
    public void pieceCorrupt(Peer from, int piece) {
        boolean isOnceTooOften = requests.recordCorrupt(from);
        if (isOnceTooOften && !from.isLost()) {
            router.disconnect(from, "too many corrupt pieces");
        } else {
            ownWorkMayHaveGrown(requests.requestFailed(from, piece));
        }
    }

    @Override
    public void peerLost(Peer peer) {
        if (policy.awaitsWorkOf(peer) || (peer.isLocal() && peer.isExpelled())) {
            orphanedWork.workMayBeLost();
        } else if (peer.isLocal()) {
            absentMates.lost(peer);
        }
        boolean tookBack = relays.takeBackFrom(peer);
        relays.bringNothingFor(peer);
        boolean ownWorkGrew = requests.peerLost(peer) || tookBack;
        relays.returnUnobtainable();
        desireAgainIf(ownWorkGrew);
        policy.peerLost(peer, ownWorkGrew);
        ending.peerLost();
    }

    @Override
    public void peerStalled(Peer peer) {
        boolean tookBack = relays.takeBackFrom(peer);
        boolean ownWorkGrew = requests.peerStalled(peer) || tookBack;
        relays.returnUnobtainable();
        desireAgainIf(ownWorkGrew);
        policy.peerStalled(peer, ownWorkGrew);
    }

    @Override
    public void peerRevived(Peer peer) {
        relays.loadChanged();
        requests.fill(peer);
    }

    @Override
    public void nodeLost(@Nullable Peer lost) {
        if (lost != null) {
            orphanedWork.nodeLost(lost);
        }
        noProgress.lossHeard();
    }

    @Override
    public void givenUp(PieceSet pieces) {
        ledger.giveUp(pieces);
        relays.givenUp(pieces);
        requestResumedIf(products.givenUp(pieces));
        ending.completeIfNothingIsLacked();
    }

    @Override
    public void timerFired(TimerKey key) {
        if (key == TimerKey.ORPHANED_WORK) {
            ownWorkMayHaveGrown(orphanedWork.timerFired());
        } else if (key == TimerKey.ABSENT_MATE && absentMates.timerFired()) {
            orphanedWork.workMayBeLost();
        } else if (key == TimerKey.NO_PROGRESS) {
            policy.noProgressTimerFired();
            noProgress.timerFired(ledger.pendingCount() > 0 || policy.isExpectingWork());
        }
    }

    private void ownWorkMayHaveGrown(boolean ownWorkGrew) {
        relays.loadChanged();
        desireAgainIf(ownWorkGrew);
        if (ownWorkGrew) {
            policy.ownWorkGrew();
        }
    }

    /** Pending pieces were no longer part of the last desire, so it is sent again. */
    private void desireAgainIf(boolean ownWorkGrew) {
        if (ownWorkGrew) {
            exchange.desireWorkOutside();
        }
    }

    @Override
    public PieceSet possession() {
        return ledger.possession().pieces();
    }

    @Override
    public NodeCounters counters() {
        return parts.tally().snapshot();
    }
}

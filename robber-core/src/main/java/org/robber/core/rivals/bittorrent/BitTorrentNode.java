package org.robber.core.rivals.bittorrent;

import static org.robber.core.transfer.ProtocolBreach.unless;

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
import org.robber.core.random.SeededRandom;
import org.robber.core.transfer.Ending;
import org.robber.core.transfer.EventRouter;
import org.robber.core.transfer.NoProgressWatch;
import org.robber.core.transfer.Outbox;
import org.robber.core.transfer.Possession;
import org.robber.core.transfer.ProtocolBreach;
import org.robber.core.transfer.Tally;

/**
 * One node of a BitTorrent swarm. A choke leaves requests that were made before it in force, and one that meets it on its
 * way is refused, as in the protocol's fast extension: so no request is left without an answer.
 *
 * <p>Sources: Cohen, "Incentives Build Robustness in BitTorrent", 2003; the protocol's specifications BEP 3 and BEP 6.
 */
final class BitTorrentNode implements MulticastNode, EventRouter.Listener {

    private final PeerTable peers;
    private final Neighbours neighbours;
    private final Tally tally = new Tally();
    private final Outbox outbox = new Outbox();
    private final EventRouter router;
    private final Choker choker;
    private final Possession possession;
    private final RequestScheduler requests;
    private final Ending ending;
    private final NoProgressWatch noProgress;
    private long nextRechokeNanos;

    BitTorrentNode(NodeSetup setup, boolean rarestFirst, boolean endGame) {
        SeededRandom random = SeededRandom.forUse(setup.seed(), setup.rank());
        int pieceCount = setup.pieceCount();
        peers = new PeerTable(setup);
        neighbours = new Neighbours(peers.all(), pieceCount);
        router = new EventRouter(peers, outbox, this);
        choker = new Choker(neighbours, random, outbox);
        PieceAvailability availability = new PieceAvailability(pieceCount, rarestFirst, random);
        possession = Possession.of(setup);
        requests = new RequestScheduler(neighbours, possession, availability, endGame, tally, outbox);
        ending = new Ending(possession, peers, outbox);
        noProgress = new NoProgressWatch(possession, outbox);
    }

    @Override
    public List<Action> start(long nowNanos) {
        router.start();
        ending.completeIfNothingIsLacked();
        nextRechokeNanos = nowNanos;
        setTimer();
        return outbox.drain();
    }

    private void setTimer() {
        if (!ending.isFinished()) {
            nextRechokeNanos += Choker.PERIOD_NANOS;
            outbox.add(new Action.SetTimer(TimerKey.RECHOKE, nextRechokeNanos));
        }
    }

    @Override
    public List<Action> handle(long nowNanos, Event event) {
        router.route(event);
        noProgress.afterEvent(nowNanos);
        return outbox.drain();
    }

    @Override
    public void timerFired(TimerKey key) {
        if (key == TimerKey.NO_PROGRESS) {
            noProgress.timerFired(requests.expectsPieces());
        } else {
            choker.rechoke(possession.isComplete());
            setTimer();
        }
    }

    @Override
    public void peerReady(Peer peer) {
        noProgress.progressed();
        neighbours.of(peer);
        if (!possession.pieces().isEmpty()) {
            outbox.send(peer, new Message.Bitfield(possession.pieces().copy()));
        }
        ending.peerReady(peer);
    }

    @Override
    public void received(Peer peer, Message message) {
        Neighbour neighbour = neighbour(peer);
        switch (message.type()) {
            case BITFIELD -> bitfieldReceived(neighbour, ((Message.Bitfield) message).pieces());
            case HAVE -> haveReceived(neighbour, ((Message.Have) message).piece());
            case INTERESTED -> interestReceived(neighbour, true);
            case NOT_INTERESTED -> interestReceived(neighbour, false);
            case CHOKE -> neighbour.chokesUs = true;
            case UNCHOKE -> {
                neighbour.chokesUs = false;
                requests.fill(neighbour);
            }
            case REQUEST -> requestReceived(neighbour, ((Message.Request) message).piece());
            case CANCEL -> cancelReceived(neighbour, ((Message.Cancel) message).piece());
            case REJECT -> requests.rejectReceived(neighbour, ((Message.Reject) message).piece());
            case DONE -> {
                ending.doneReceived(peer);
                interestReceived(neighbour, false);
            }
            case STOP -> ending.stopReceived(peer);
            default -> throw new ProtocolBreach(message.type() + " has no place in this strategy");
        }
    }

    private void bitfieldReceived(Neighbour neighbour, PieceSet pieces) {
        unless(pieces.capacity() == possession.pieceCount(), "bitfield of other data");
        unless(!neighbour.bitfieldReceived, "bitfield twice");
        neighbour.bitfieldReceived = true;
        requests.offered(neighbour, pieces);
        requests.tellInterest(neighbour);
        requests.fill(neighbour);
    }

    private void haveReceived(Neighbour neighbour, int piece) {
        unless(isPiece(piece), "have of a piece that isn't there");
        requests.offered(neighbour, piece);
        requests.tellInterest(neighbour);
        requests.fill(neighbour);
    }

    private void interestReceived(Neighbour neighbour, boolean interested) {
        neighbour.interested = interested;
        choker.fillFreePlaces();
    }

    private void requestReceived(Neighbour neighbour, int piece) {
        unless(isPiece(piece), "request for a piece that isn't there");
        if (neighbour.choked || !possession.contains(piece)) {
            outbox.send(neighbour.peer(), new Message.Reject(piece));
        } else {
            neighbour.countSent();
            outbox.add(new Action.SendPiece(neighbour.peer().rank(), piece));
        }
    }

    private void cancelReceived(Neighbour neighbour, int piece) {
        unless(isPiece(piece), "cancel of a piece that isn't there");
        outbox.add(new Action.CancelPiece(neighbour.peer().rank(), piece));
    }

    @Override
    public void pieceStored(Peer from, int piece) {
        from.reliability().verified();
        if (requests.pieceStored(neighbour(from), piece)) {
            announce(piece);
        }
        neighbours.all().forEach(requests::fill);
    }

    @Override
    public void pieceProduced(int piece) {
        if (requests.possess(piece)) {
            announce(piece);
        }
    }

    private void announce(int piece) {
        noProgress.progressed();
        for (Neighbour neighbour : neighbours.all()) {
            if (neighbour.isOpen() && !neighbour.offered.contains(piece)) {
                outbox.send(neighbour.peer(), new Message.Have(piece));
            }
            requests.tellInterest(neighbour);
        }
        ending.completeIfNothingIsLacked();
    }

    @Override
    public void pieceCorrupt(Peer from, int piece) {
        Neighbour neighbour = neighbour(from);
        boolean isOnceTooOften = from.reliability().corrupt();
        if (isOnceTooOften && !from.isLost()) {
            tally.pieceRejected();
            router.disconnect(from, "too many corrupt pieces");
        } else {
            requests.takeBack(neighbour, piece);
        }
    }

    @Override
    public void peerLost(Peer peer) {
        requests.neighbourLost(neighbour(peer));
        choker.fillFreePlaces();
        ending.peerLost();
    }

    @Override
    public void peerStalled(Peer peer) {
        requests.neighbourStalled(neighbour(peer));
    }

    @Override
    public void peerRevived(Peer peer) {
        requests.fill(neighbour(peer));
    }

    @Override
    public void nodeLost(@Nullable Peer lost) {
        noProgress.lossHeard();
    }

    @Override
    public void givenUp(PieceSet pieces) {
        requests.giveUp(pieces);
        ending.completeIfNothingIsLacked();
    }

    private boolean isPiece(int piece) {
        return piece >= 0 && piece < possession.pieceCount();
    }

    private Neighbour neighbour(Peer peer) {
        return neighbours.of(peer);
    }

    @Override
    public PieceSet possession() {
        return possession.pieces();
    }

    @Override
    public NodeCounters counters() {
        return tally.snapshot();
    }
}

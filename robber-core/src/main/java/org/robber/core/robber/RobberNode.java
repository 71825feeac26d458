package org.robber.core.robber;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;
import static org.robber.core.transfer.ProtocolBreach.unless;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.NodeCounters;
import org.robber.core.node.NodeSetup;
import org.robber.core.node.TimerKey;
import org.robber.core.piece.PieceSet;
import org.robber.core.protocol.Message;
import org.robber.core.random.SeededRandom;
import org.robber.core.topology.ClusterClaim;
import org.robber.core.topology.Topology;
import org.robber.core.topology.WorkDivision;
import org.robber.core.transfer.Ending;
import org.robber.core.transfer.Inheritance;
import org.robber.core.transfer.Outbox;
import org.robber.core.transfer.Peer;
import org.robber.core.transfer.PeerTable;
import org.robber.core.transfer.PieceLedger;
import org.robber.core.transfer.ProtocolBreach;
import org.robber.core.transfer.RequestStyle;
import org.robber.core.transfer.Requests;
import org.robber.core.transfer.Serving;
import org.robber.core.transfer.Tally;
import org.robber.core.transfer.Wishes;

/**
 * One node of a Robber multicast. It routes each event to the part that it concerns: what we want ({@link Wishes},
 * {@link Requests}), what others want ({@link Serving}), stealing of work ({@link WorkStealing}), the end
 * ({@link Ending}).
 *
 * <p>Source: den Burger and Kielmann, "Collective Receiver-Initiated Multicast for Grid Applications", IEEE TPDS 22(2),
 * 2011, pp. 231-244; {@code docs/algorithm.md} tells where this implementation differs from the published one.
 */
public final class RobberNode implements MulticastNode {
    private final PeerTable peers;
    private final PieceLedger ledger;
    private final Tally tally = new Tally();
    private final Outbox outbox = new Outbox();
    private final Wishes wishes;
    private final Requests requests;
    private final Serving serving;
    private final WorkStealing stealing;
    private final Ending ending;
    private final Inheritance inheritance;
    private boolean started;

    /** A node that has not begun. */
    public RobberNode(NodeSetup setup) {
        this(setup, RequestStyle.PACED);
    }

    /** A node that has not begun, and asks other clusters in this style. */
    public RobberNode(NodeSetup setup, RequestStyle style) {
        SeededRandom random = SeededRandom.forUse(setup.seed(), setup.rank());
        peers = PeerTable.of(setup);
        ledger = new PieceLedger(setup.possession(), share(setup));
        wishes = new Wishes(ledger, outbox);
        requests = new Requests(
                ledger,
                ClusterClaim.of(setup.rank(), setup.rootRank(), setup.topology(), setup.pieceCount()),
                peers,
                random,
                style,
                tally,
                outbox);
        serving = new Serving(ledger, peers, outbox);
        stealing = new WorkStealing(
                !isInRootCluster(setup),
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
    }

    /** The cluster's work is divided equally; a cluster that holds the root has none. */
    private static PieceSet share(NodeSetup setup) {
        if (isInRootCluster(setup)) {
            return PieceSet.empty(setup.pieceCount());
        }
        Topology topology = setup.topology();
        return WorkDivision.share(
                topology.indexInCluster(setup.rank()),
                topology.clusterSize(topology.clusterOf(setup.rank())),
                setup.pieceCount());
    }

    private static boolean isInRootCluster(NodeSetup setup) {
        return setup.topology().sameCluster(setup.rank(), setup.rootRank());
    }

    @Override
    public List<Action> start(long nowNanos) {
        checkState(!started, "started twice");
        started = true;
        if (ledger.isComplete()) {
            ending.complete();
        }
        return outbox.drain();
    }

    @Override
    public List<Action> handle(long nowNanos, Event event) {
        checkState(started, "not started");
        requests.advanceTo(nowNanos);
        if (event instanceof Event.Received received) {
            received(received.fromRank(), received.message());
        } else if (event instanceof Event.PieceStored stored) {
            pieceStored(peer(stored.fromRank()), stored.piece());
        } else if (event instanceof Event.PieceCorrupt corrupt) {
            pieceCorrupt(peer(corrupt.fromRank()), corrupt.piece());
        } else if (event instanceof Event.PeerReady ready) {
            peerReady(peer(ready.peerRank()));
        } else if (event instanceof Event.PeerLost lost) {
            lose(peer(lost.peerRank()));
        } else if (event instanceof Event.TimerFired fired) {
            timerFired(fired.key());
        }
        requests.reconsiderWithheld();
        stealing.proceed();
        inheritance.proceed(nowNanos);
        return outbox.drain();
    }

    /** A message from anybody: what must not be said costs the peer its connection, and nothing else. */
    private void received(int rank, Message message) {
        Peer peer = peers.find(rank);
        if (peer == null) {
            outbox.add(new Action.Disconnect(rank, "not a peer"));
        } else if (!peer.isLost()) {
            try {
                unless(peer.isReady(), "message before it was ready");
                unless(!peer.hasStopped(), "message after stop");
                dispatch(peer, message);
            } catch (ProtocolBreach breach) {
                disconnect(peer, breach.why());
            }
        }
    }

    private void dispatch(Peer peer, Message message) {
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

    private void peerReady(Peer peer) {
        if (!peer.becomeReady()) {
            return;
        }
        PieceSet wanted = peer.isLocal() ? ledger.lacked() : ledger.ownWork().copy();
        if (!wanted.isEmpty()) {
            wishes.desire(peer, wanted);
        }
        stealing.peerReady(peer);
        ending.peerReady(peer);
    }

    private void pieceStored(Peer from, int piece) {
        if (requests.pieceStored(from, piece)) {
            serving.announce(piece, from);
            if (ledger.isComplete()) {
                ending.complete();
            }
        }
        requests.fill(from);
    }

    private void pieceCorrupt(Peer from, int piece) {
        boolean isOnceTooOften = requests.blame(from);
        if (isOnceTooOften && !from.isLost()) {
            disconnect(from, "too many corrupt pieces");
        } else if (requests.takeBack(from, piece)) {
            stealing.workCameBack();
        }
    }

    private void disconnect(Peer peer, String why) {
        outbox.add(new Action.Disconnect(peer.rank(), why));
        lose(peer);
    }

    private void lose(Peer peer) {
        if (peer.becomeLost()) {
            stealing.peerLost(peer, requests.peerLost(peer));
            ending.peerLost();
            inheritance.peerLost(peer);
        }
    }

    private void timerFired(TimerKey key) {
        if (key == TimerKey.INHERIT && inheritance.timerFired()) {
            stealing.workCameBack();
        }
    }

    private Peer peer(int rank) {
        @Nullable Peer peer = peers.find(rank);
        checkArgument(peer != null, "rank %s is not a peer", rank);
        return peer;
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

package org.robber.core.rivals.tree;

import static org.robber.core.transfer.ProtocolBreach.unless;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.robber.core.node.Action;
import org.robber.core.node.TimerKey;
import org.robber.core.peer.Peer;
import org.robber.core.piece.PieceSet;
import org.robber.core.transfer.Outbox;
import org.robber.core.transfer.Possession;

/** How pieces leave a node: each to whoever asked for it, as soon as it is here and, where a stripe is paced, due. */
final class Forwarding {
    private final Possession possession;
    private final Intake intake;
    private final Outbox outbox;

    /** By stripe, the paces towards children that are sent to at a rate. */
    private final ImmutableList<ImmutableList<Pace>> paces;

    /** By stripe, the children in the order in which they are sent to. */
    private final ImmutableList<int[]> children;

    /** Per rank, what it asked for that is not here. */
    private final TreeMap<Integer, PieceSet> owed = new TreeMap<>();

    private long nowNanos;
    private long timerNanos = Long.MAX_VALUE;

    Forwarding(
            Possession possession,
            Intake intake,
            ImmutableList<int[]> children,
            ImmutableList<ImmutableList<Pace>> paces,
            Outbox outbox) {
        this.possession = possession;
        this.intake = intake;
        this.children = children;
        this.paces = paces;
        this.outbox = outbox;
    }

    /** Time goes on. */
    void advanceTo(long nanos) {
        nowNanos = nanos;
    }

    /** The peer asks for a piece: it gets it now or later. */
    void requestReceived(Peer peer, int piece) {
        unless(piece >= 0 && piece < possession.pieceCount(), "request for a piece that isn't there");
        if (possession.contains(piece)) {
            send(peer.rank(), piece);
        } else {
            owed.computeIfAbsent(peer.rank(), rank -> PieceSet.empty(possession.pieceCount()))
                    .add(piece);
        }
    }

    /** The peer does not need a piece any more that it asked for. */
    void cancelReceived(Peer peer, int piece) {
        unless(piece >= 0 && piece < possession.pieceCount(), "cancel of a piece that isn't there");
        PieceSet its = owed.get(peer.rank());
        if (its != null) {
            its.remove(piece);
        }
        for (Pace pace : paces.get(intake.stripeOf(piece))) {
            if (pace.toRank() == peer.rank()) {
                pace.remove(piece);
            }
        }
        outbox.add(new Action.CancelPiece(peer.rank(), piece));
    }

    /** The piece is here: it goes on to the children, and then to all others that wait for it. */
    void pieceStored(int piece) {
        for (int child : children.get(intake.stripeOf(piece))) {
            pay(child, piece);
        }
        for (int rank : owed.keySet()) {
            pay(rank, piece);
        }
    }

    private void pay(int rank, int piece) {
        PieceSet its = owed.get(rank);
        if (its != null && its.remove(piece)) {
            send(rank, piece);
        }
    }

    private void send(int rank, int piece) {
        for (Pace pace : paces.get(intake.stripeOf(piece))) {
            if (pace.toRank() == rank) {
                pace.add(piece);
                sendWhatIsDue(pace);
                return;
            }
        }
        outbox.add(new Action.SendPiece(rank, piece));
    }

    private void sendWhatIsDue(Pace pace) {
        while (pace.dueNanos(nowNanos) <= nowNanos) {
            outbox.add(new Action.SendPiece(pace.toRank(), pace.take(nowNanos)));
        }
        long dueNanos = pace.dueNanos(nowNanos);
        if (dueNanos < timerNanos) {
            timerNanos = dueNanos;
            outbox.add(new Action.SetTimer(TimerKey.PACE, dueNanos));
        }
    }

    /** The ranks that wait for any of these pieces. */
    List<Integer> waitingFor(PieceSet pieces) {
        List<Integer> waiting = new ArrayList<>();
        owed.forEach((rank, its) -> {
            if (its.countCommon(pieces) > 0) {
                waiting.add(rank);
            }
        });
        return waiting;
    }

    /** Something is due. */
    void timerFired() {
        timerNanos = Long.MAX_VALUE;
        for (ImmutableList<Pace> ofStripe : paces) {
            ofStripe.forEach(this::sendWhatIsDue);
        }
    }

    /** Nothing more goes to the peer. */
    void peerLost(Peer peer) {
        owed.remove(peer.rank());
        for (ImmutableList<Pace> ofStripe : paces) {
            for (Pace pace : ofStripe) {
                if (pace.toRank() == peer.rank()) {
                    pace.clear();
                }
            }
        }
    }
}

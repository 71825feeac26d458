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

/** Sends pieces to the nodes that requested them: once they are here and, in a stripe with a fixed rate, due. */
final class Forwarding {
    private final Possession possession;
    private final StripeReceiver receiver;
    private final Outbox outbox;

    /** By stripe, the schedules of the children that it is sent to at a fixed rate. */
    private final ImmutableList<ImmutableList<SendSchedule>> schedules;

    /** By stripe, the children in the order in which they are sent to. */
    private final ImmutableList<int[]> children;

    /** By rank, requested pieces that are not here yet. */
    private final TreeMap<Integer, PieceSet> pendingByPeer = new TreeMap<>();

    private long nowNanos;
    private long timerNanos = Long.MAX_VALUE;

    Forwarding(
            Possession possession,
            StripeReceiver receiver,
            ImmutableList<int[]> children,
            ImmutableList<ImmutableList<SendSchedule>> schedules,
            Outbox outbox) {
        this.possession = possession;
        this.receiver = receiver;
        this.children = children;
        this.schedules = schedules;
        this.outbox = outbox;
    }

    /** Sets the time of the event at hand. */
    void advanceTo(long nanos) {
        nowNanos = nanos;
    }

    /** The peer requests a piece: it is sent now, or once it is here. */
    void requestReceived(Peer peer, int piece) {
        unless(piece >= 0 && piece < possession.pieceCount(), "request for a piece that isn't there");
        if (possession.contains(piece)) {
            send(peer.rank(), piece);
        } else {
            pendingByPeer
                    .computeIfAbsent(peer.rank(), rank -> PieceSet.empty(possession.pieceCount()))
                    .add(piece);
        }
    }

    /** The peer takes back a request. */
    void cancelReceived(Peer peer, int piece) {
        unless(piece >= 0 && piece < possession.pieceCount(), "cancel of a piece that isn't there");
        PieceSet its = pendingByPeer.get(peer.rank());
        if (its != null) {
            its.remove(piece);
        }
        for (SendSchedule schedule : schedules.get(receiver.stripeOf(piece))) {
            if (schedule.toRank() == peer.rank()) {
                schedule.remove(piece);
            }
        }
        outbox.add(new Action.CancelPiece(peer.rank(), piece));
    }

    /** The piece is here: it is sent to the children that requested it, and then to all others that did. */
    void pieceStored(int piece) {
        for (int child : children.get(receiver.stripeOf(piece))) {
            sendIfOwed(child, piece);
        }
        for (int rank : pendingByPeer.keySet()) {
            sendIfOwed(rank, piece);
        }
    }

    private void sendIfOwed(int rank, int piece) {
        PieceSet its = pendingByPeer.get(rank);
        if (its != null && its.remove(piece)) {
            send(rank, piece);
        }
    }

    private void send(int rank, int piece) {
        for (SendSchedule schedule : schedules.get(receiver.stripeOf(piece))) {
            if (schedule.toRank() == rank) {
                schedule.add(piece);
                sendWhatIsDue(schedule);
                return;
            }
        }
        outbox.add(new Action.SendPiece(rank, piece));
    }

    private void sendWhatIsDue(SendSchedule schedule) {
        while (schedule.dueNanos(nowNanos) <= nowNanos) {
            outbox.add(new Action.SendPiece(schedule.toRank(), schedule.take(nowNanos)));
        }
        long dueNanos = schedule.dueNanos(nowNanos);
        if (dueNanos < timerNanos) {
            timerNanos = dueNanos;
            outbox.add(new Action.SetTimer(TimerKey.SEND_DUE, dueNanos));
        }
    }

    /** The ranks whose requests for any of these pieces are pending. */
    List<Integer> waitingFor(PieceSet pieces) {
        List<Integer> waiting = new ArrayList<>();
        pendingByPeer.forEach((rank, its) -> {
            if (its.countCommon(pieces) > 0) {
                waiting.add(rank);
            }
        });
        return waiting;
    }

    /** Sends what is due. */
    void timerFired() {
        timerNanos = Long.MAX_VALUE;
        for (ImmutableList<SendSchedule> ofStripe : schedules) {
            ofStripe.forEach(this::sendWhatIsDue);
        }
    }

    /** The connection to the peer is gone: its requests are void. */
    void peerLost(Peer peer) {
        pendingByPeer.remove(peer.rank());
        for (ImmutableList<SendSchedule> ofStripe : schedules) {
            for (SendSchedule schedule : ofStripe) {
                if (schedule.toRank() == peer.rank()) {
                    schedule.clear();
                }
            }
        }
    }
}

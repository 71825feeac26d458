package org.robber.emulation.simulator;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.robber.core.node.Action;
import org.robber.core.node.Event;
import org.robber.core.node.MulticastNode;
import org.robber.core.node.TimerKey;
import org.robber.core.protocol.Message;
import org.robber.emulation.simulator.agenda.Agenda;
import org.robber.emulation.simulator.agenda.Due;
import org.robber.emulation.simulator.network.Connection;
import org.robber.emulation.simulator.network.Receiver;

/** Drives the machine of one node, as the real driver does. */
final class SimulatedNode implements Receiver {
    private final int rank;
    private final MulticastNode node;
    private final Agenda agenda;
    private final Tally tally;
    private final int[] peers;

    /** To each peer, in the order of their ranks; null where no link leads. */
    private final @Nullable Connection[] connections;

    private final Map<TimerKey, Timer> timers = new EnumMap<>(TimerKey.class);

    SimulatedNode(int rank, MulticastNode node, int[] peers, Agenda agenda, Tally tally) {
        this.rank = rank;
        this.node = node;
        this.peers = peers;
        this.connections = new @Nullable Connection[peers.length];
        this.agenda = agenda;
        this.tally = tally;
    }

    /** A timer of the machine. */
    private final class Timer extends Due {
        private final TimerKey key;

        Timer(TimerKey key) {
            this.key = key;
        }

        @Override
        protected void happen(long nowNanos) {
            handle(new Event.TimerFired(key), nowNanos);
        }
    }

    int rank() {
        return rank;
    }

    MulticastNode node() {
        return node;
    }

    int[] peers() {
        return peers;
    }

    void connect(int peerIndex, @Nullable Connection connection) {
        connections[peerIndex] = connection;
    }

    /** Starts the machine and tells all peers that this node takes part. */
    void start(Message begin) {
        perform(node.start(agenda.nowNanos()));
        for (int i = 0; i < peers.length; i++) {
            Connection connection = connections[i];
            if (connection == null) {
                handle(new Event.PeerLost(peers[i]), agenda.nowNanos());
            } else {
                connection.send(begin);
            }
        }
    }

    @Override
    public void received(Connection connection, Message message, long nowNanos) {
        if (message instanceof Message.Begin) {
            handle(new Event.PeerReady(connection.fromRank()), nowNanos);
        } else {
            handle(new Event.Received(connection.fromRank(), message), nowNanos);
        }
    }

    @Override
    public void pieceArrived(Connection connection, int piece, long nowNanos) {
        tally.pieceReceived(connection, piece);
        handle(new Event.PieceStored(connection.fromRank(), piece), nowNanos);
    }

    private void handle(Event event, long nowNanos) {
        perform(node.handle(nowNanos, event));
    }

    private void perform(List<Action> actions) {
        for (int i = 0; i < actions.size(); i++) {
            perform(actions.get(i));
        }
    }

    private void perform(Action action) {
        if (action instanceof Action.Send send) {
            Connection connection = to(send.toRank());
            if (connection != null) {
                connection.send(send.message());
            }
        } else if (action instanceof Action.SendPiece send) {
            Connection connection = to(send.toRank());
            if (connection != null) {
                connection.sendPiece(send.piece());
            }
        } else if (action instanceof Action.CancelPiece cancel) {
            Connection connection = to(cancel.toRank());
            if (connection != null) {
                connection.cancelPiece(cancel.piece());
            }
        } else if (action instanceof Action.SetTimer timer) {
            agenda.put(timers.computeIfAbsent(timer.key(), Timer::new), Math.max(timer.atNanos(), agenda.nowNanos()));
        } else if (action instanceof Action.Completed) {
            tally.completed(this, agenda.nowNanos());
        } else if (action instanceof Action.Finished) {
            tally.finished(this);
        } else {
            throw new IllegalStateException("rank " + rank + " wants " + action);
        }
    }

    private @Nullable Connection to(int peerRank) {
        int index = Arrays.binarySearch(peers, peerRank);
        if (index < 0) {
            throw new IllegalStateException("rank " + rank + " talks to rank " + peerRank + ", which is no peer");
        }
        return connections[index];
    }

    /** Bytes sent that are not bytes of pieces. */
    long controlBytes() {
        long bytes = 0;
        for (Connection connection : connections) {
            bytes += connection == null ? 0 : connection.controlBytes();
        }
        return bytes;
    }
}

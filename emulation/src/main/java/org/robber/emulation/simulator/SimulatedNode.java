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
    private final Surroundings surroundings;
    private final Inbox inbox;
    private final RequestBook requests;
    private final int[] peers;

    /** To each peer, in the order of their ranks; null where no link leads. */
    private final @Nullable Connection[] connections;

    private final Map<TimerKey, Timer> timers = new EnumMap<>(TimerKey.class);
    private long controlBytesOfEnded;
    private boolean dead;

    SimulatedNode(
            int rank,
            MulticastNode node,
            int[] peers,
            Machine machine,
            RequestBook requests,
            Agenda agenda,
            Surroundings surroundings) {
        this.rank = rank;
        this.node = node;
        this.peers = peers;
        this.connections = new @Nullable Connection[peers.length];
        this.requests = requests;
        this.agenda = agenda;
        this.surroundings = surroundings;
        this.inbox = new Inbox(agenda, machine, surroundings.costs().coldNanos(), this::handle);
    }

    /** A timer of the machine. */
    private final class Timer extends Due {
        private final TimerKey key;

        Timer(TimerKey key) {
            this.key = key;
        }

        @Override
        protected void happen(long nowNanos) {
            tell(new Event.TimerFired(key), 0);
        }
    }

    /** Something that the node is told later. */
    private final class Later extends Due {
        private final Event event;
        private final double costNanos;

        Later(Event event, double costNanos) {
            this.event = event;
            this.costNanos = costNanos;
        }

        @Override
        protected void happen(long nowNanos) {
            tell(event, costNanos);
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

    RequestBook requests() {
        return requests;
    }

    boolean isDead() {
        return dead;
    }

    /** Notes a connection to one of the peers. */
    void connect(@Nullable Connection connection) {
        if (connection != null) {
            connections[indexOf(connection.toRank())] = connection;
        }
    }

    /** Starts the machine and tells all peers that this node takes part. */
    void start(Message begin) {
        perform(node.start(agenda.nowNanos()));
        for (int i = 0; i < peers.length; i++) {
            Connection connection = connections[i];
            if (connection == null) {
                tell(new Event.PeerLost(peers[i]), 0);
            } else {
                connection.send(begin);
            }
        }
    }

    @Override
    public void received(Connection connection, Message message, long nowNanos) {
        if (message instanceof Message.Begin) {
            tell(
                    new Event.PeerReady(connection.fromRank()),
                    surroundings.costs().messageNanos());
        } else {
            if (message instanceof Message.Reject reject) {
                boolean unused = requests.close(indexOf(connection.fromRank()), reject.piece());
            }
            tell(
                    new Event.Received(connection.fromRank(), message),
                    surroundings.costs().messageNanos());
        }
    }

    @Override
    public void pieceArrived(Connection connection, int piece, long nowNanos) {
        if (dead) {
            return;
        }
        boolean wanted = requests.close(indexOf(connection.fromRank()), piece);
        surroundings.pieceArrived(connection, piece);
        if (!wanted) {
            return;
        }
        Event event = surroundings.isCorrupt()
                ? new Event.PieceCorrupt(connection.fromRank(), piece)
                : new Event.PieceStored(connection.fromRank(), piece);
        double costNanos = surroundings.receiptNanos(piece);
        if (surroundings.costs().storeNanos() == 0) {
            tell(event, costNanos);
        } else {
            agenda.put(
                    new Later(event, costNanos), nowNanos + surroundings.costs().storeNanos());
        }
    }

    private void tell(Event event, double costNanos) {
        if (!dead) {
            inbox.put(event, costNanos);
        }
    }

    private void handle(Event event, long nowNanos) {
        if (dead) {
            return;
        }
        try {
            surroundings.told(this, event);
            perform(node.handle(nowNanos, event));
        } catch (RuntimeException e) {
            throw surroundings.failure(this, e, nowNanos);
        }
    }

    private void perform(List<Action> actions) {
        for (int i = 0; i < actions.size(); i++) {
            perform(actions.get(i));
        }
    }

    private void perform(Action action) {
        if (action instanceof Action.Send send) {
            send(indexOf(send.toRank()), send.message());
        } else if (action instanceof Action.SendPiece send) {
            sendPiece(indexOf(send.toRank()), send.piece());
        } else if (action instanceof Action.CancelPiece cancel) {
            Connection connection = connections[indexOf(cancel.toRank())];
            if (connection != null) {
                connection.cancelPiece(cancel.piece());
            }
        } else if (action instanceof Action.SetTimer timer) {
            agenda.put(timers.computeIfAbsent(timer.key(), Timer::new), Math.max(timer.atNanos(), agenda.nowNanos()));
        } else if (action instanceof Action.Disconnect disconnect) {
            disconnect(indexOf(disconnect.peerRank()));
        } else if (action instanceof Action.Completed) {
            surroundings.completed(this, agenda.nowNanos());
        } else if (action instanceof Action.Finished) {
            surroundings.finished(this);
        }
    }

    private void send(int peerIndex, Message message) {
        surroundings.sent(this, peers[peerIndex], message);
        Connection connection = connections[peerIndex];
        if (connection != null) {
            if (message instanceof Message.Request request) {
                requests.ask(peerIndex, request.piece(), agenda.nowNanos());
            }
            connection.send(message);
        }
    }

    private void sendPiece(int peerIndex, int piece) {
        surroundings.pieceSent(this, peers[peerIndex], piece);
        Connection connection = connections[peerIndex];
        if (connection != null) {
            double costNanos = surroundings.sendingNanos(piece);
            if (costNanos > 0) {
                inbox.occupy(costNanos);
            }
            connection.sendPiece(piece);
        }
    }

    private void disconnect(int peerIndex) {
        Connection connection = forget(peerIndex);
        if (connection != null) {
            connection.end(0);
        }
    }

    private @Nullable Connection forget(int peerIndex) {
        Connection connection = connections[peerIndex];
        connections[peerIndex] = null;
        requests.closeAll(peerIndex);
        controlBytesOfEnded += connection == null ? 0 : connection.controlBytes();
        return connection;
    }

    /** The peer has closed the connection, or is dead. */
    @Override
    public void ended(Connection connection) {
        if (forget(indexOf(connection.fromRank())) != null) {
            tell(new Event.PeerLost(connection.fromRank()), 0);
        }
    }

    /** The node dies; its peers notice later. */
    void crash(long detectionNanos) {
        dead = true;
        for (int i = 0; i < peers.length; i++) {
            Connection connection = forget(i);
            if (connection != null) {
                connection.end(detectionNanos);
            }
        }
    }

    /** The node does nothing until {@link #resume}. */
    void stall() {
        inbox.stall();
        for (Connection connection : connections) {
            if (connection != null) {
                connection.pause();
            }
        }
    }

    /** The node goes on. */
    void resume() {
        inbox.resume();
        for (Connection connection : connections) {
            if (connection != null) {
                connection.resume();
            }
        }
    }

    private int indexOf(int peerRank) {
        int index = Arrays.binarySearch(peers, peerRank);
        if (index < 0) {
            throw new IllegalStateException("talks to rank " + peerRank + ", which is no peer");
        }
        return index;
    }

    /** Bytes sent that are not bytes of pieces. */
    long controlBytes() {
        long bytes = controlBytesOfEnded;
        for (Connection connection : connections) {
            bytes += connection == null ? 0 : connection.controlBytes();
        }
        return bytes;
    }
}

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
    private MulticastNode node;
    private final Agenda agenda;
    private final Surroundings surroundings;
    private final Inbox inbox;
    private final RequestBook requests;
    private int[] peers;

    /** How many of the peers are there by plan, in the order of their ranks; others joined later. */
    private final int plannedPeers;

    /** To each peer; null where no link leads, or none any more. */
    private @Nullable Connection[] connections;

    /**
     * What the machine says before it has heard that a peer is ready again belongs to the connection before, and is dropped.
     * By peer: whether that is so, and how many such news are in the inbox, of this connection or those before.
     */
    private boolean[] unheard;

    private int[] queuedReady;
    private int[] outdatedReady;

    private final Map<TimerKey, Timer> timers = new EnumMap<>(TimerKey.class);
    private long controlBytesOfEnded;
    private boolean dead;
    private boolean replacesConnections;
    private boolean stalled;

    /** How often it was started again: what was on its way to an earlier life is lost. */
    private int lives;

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
        this.plannedPeers = peers.length;
        this.unheard = new boolean[peers.length];
        this.queuedReady = new int[peers.length];
        this.outdatedReady = new int[peers.length];
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
        private final int life = lives;

        Later(Event event, double costNanos) {
            this.event = event;
            this.costNanos = costNanos;
        }

        @Override
        protected void happen(long nowNanos) {
            if (life == lives) {
                tell(event, costNanos);
            }
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
        if (isOutdated(connection)) {
            return;
        }
        if (message instanceof Message.Begin) {
            queuedReady[indexOf(connection.fromRank())]++;
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
        boolean wanted = !isOutdated(connection) && requests.close(indexOf(connection.fromRank()), piece);
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

    /** Whether another connection to the same peer has taken its place. */
    @SuppressWarnings("ReferenceEquality")
    private boolean isOutdated(Connection incoming) {
        if (lives == 0 && !replacesConnections) {
            return false;
        }
        Connection current = connections[indexOf(incoming.fromRank())];
        return current != null && current != incoming.back();
    }

    /** Tells the machine of something that concerns no connection. */
    void tell(Event event) {
        tell(event, 0);
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
        if (event instanceof Event.PeerReady ready) {
            hear(indexOf(ready.peerRank()));
        }
        try {
            surroundings.told(this, event);
            perform(node.handle(nowNanos, event));
        } catch (RuntimeException e) {
            throw surroundings.failure(this, e, nowNanos);
        }
    }

    private void hear(int peerIndex) {
        queuedReady[peerIndex]--;
        if (outdatedReady[peerIndex] > 0) {
            outdatedReady[peerIndex]--;
        } else {
            unheard[peerIndex] = false;
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
        } else if (action instanceof Action.Starved starved) {
            surroundings.starved(this, starved.pieces());
        } else if (action instanceof Action.Incomplete incomplete) {
            surroundings.incomplete(this, incomplete.pieces());
        } else if (action instanceof Action.Completed) {
            surroundings.completed(this, agenda.nowNanos());
        } else if (action instanceof Action.Finished) {
            surroundings.finished(this);
        }
    }

    private void send(int peerIndex, Message message) {
        surroundings.sent(this, peers[peerIndex], message);
        Connection connection = connections[peerIndex];
        if (connection != null && !unheard[peerIndex]) {
            if (message instanceof Message.Request request) {
                requests.ask(peerIndex, request.piece(), agenda.nowNanos());
            } else if (message instanceof Message.Cancel cancel) {
                requests.recall(peerIndex, cancel.piece());
            }
            connection.send(message);
        }
    }

    private void sendPiece(int peerIndex, int piece) {
        surroundings.pieceSent(this, peers[peerIndex], piece);
        Connection connection = connections[peerIndex];
        if (connection != null && !unheard[peerIndex]) {
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
        if (!isOutdated(connection) && forget(indexOf(connection.fromRank())) != null) {
            tell(new Event.PeerLost(connection.fromRank()), 0);
        }
    }

    /** Whether there is a connection to this node. */
    boolean isConnectedTo(int otherRank) {
        int index = find(otherRank);
        return index >= 0 && connections[index] != null;
    }

    /** Takes a new connection to a node, peer or not until now, and tells it that this node takes part. */
    void reconnect(Connection connection, Message begin) {
        replacesConnections = true;
        int index = find(connection.toRank());
        if (index < 0) {
            index = peers.length;
            peers = Arrays.copyOf(peers, index + 1);
            connections = Arrays.copyOf(connections, index + 1);
            peers[index] = connection.toRank();
            unheard = Arrays.copyOf(unheard, peers.length);
            queuedReady = Arrays.copyOf(queuedReady, peers.length);
            outdatedReady = Arrays.copyOf(outdatedReady, peers.length);
            requests.addPeer();
        } else if (forget(index) != null) {
            tell(new Event.PeerLost(peers[index]), 0);
        }
        connections[index] = connection;
        unheard[index] = true;
        outdatedReady[index] = queuedReady[index];
        if (stalled) {
            connection.pause();
        }
        connection.send(begin);
    }

    /** The connection to this node breaks; both notice. */
    void cut(int otherRank) {
        int index = find(otherRank);
        Connection connection = index < 0 ? null : forget(index);
        if (connection != null) {
            connection.end(0);
            tell(new Event.PeerLost(otherRank), 0);
        }
    }

    /** The node begins another life, without connections. */
    void restart(MulticastNode newNode) {
        lives++;
        dead = false;
        node = newNode;
        timers.values().forEach(agenda::remove);
        timers.clear();
        inbox.clear();
        Arrays.fill(queuedReady, 0);
        Arrays.fill(outdatedReady, 0);
        perform(node.start(agenda.nowNanos()));
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
        stalled = true;
        inbox.stall();
        for (Connection connection : connections) {
            if (connection != null) {
                connection.pause();
            }
        }
    }

    /** The node goes on. */
    void resume() {
        stalled = false;
        inbox.resume();
        for (Connection connection : connections) {
            if (connection != null) {
                connection.resume();
            }
        }
    }

    private int indexOf(int peerRank) {
        int index = find(peerRank);
        if (index < 0) {
            throw new IllegalStateException("talks to rank " + peerRank + ", which is no peer");
        }
        return index;
    }

    private int find(int peerRank) {
        int index = Arrays.binarySearch(peers, 0, plannedPeers, peerRank);
        for (int i = plannedPeers; index < 0 && i < peers.length; i++) {
            if (peers[i] == peerRank) {
                return i;
            }
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

package org.robber.emulation.simulator;

import org.robber.core.node.Event;
import org.robber.core.node.MulticastNode;
import org.robber.core.protocol.Message;
import org.robber.core.reduce.Product;
import org.robber.emulation.simulator.agenda.Agenda;
import org.robber.emulation.simulator.network.Connection;
import org.robber.emulation.simulator.network.Receiver;

/** One node: passes messages, pieces and faults as events to its state machine, as the real driver does. */
final class SimulatedNode implements Receiver {
    private final int rank;
    private MulticastNode node;
    private final Agenda agenda;
    private final RunContext context;
    private final Inbox inbox;
    private final SimulatedRequests requests;
    private final PeerConnections peers;
    private final SimulatedActions performer;
    private final SimulatedProducts products;
    private boolean dead;
    private boolean stalled;

    SimulatedNode(
            int rank,
            MulticastNode node,
            int[] peers,
            Processors processors,
            SimulatedRequests requests,
            Agenda agenda,
            RunContext context) {
        this.rank = rank;
        this.node = node;
        this.peers = new PeerConnections(peers);
        this.requests = requests;
        this.agenda = agenda;
        this.context = context;
        this.inbox = new Inbox(agenda, processors, context.costs().coldNanos(), this::handle);
        this.products = new SimulatedProducts(context.productsOf(rank), node.possession(), this::combine);
        this.performer = new SimulatedActions(this, this.peers, requests, inbox, agenda, context);
    }

    int rank() {
        return rank;
    }

    MulticastNode node() {
        return node;
    }

    int[] peers() {
        return peers.ranks();
    }

    SimulatedRequests requests() {
        return requests;
    }

    boolean isDead() {
        return dead;
    }

    /** Sets the connection to one of the peers. */
    void connect(Connection connection) {
        peers.set(connection);
    }

    /** Starts the machine and announces this node to its peers. */
    void start(Message begin) {
        performer.perform(node.start(agenda.nowNanos()));
        for (int i = 0; i < peers.ranks().length; i++) {
            Connection connection = peers.get(i);
            if (connection == null) {
                tell(new Event.PeerLost(peers.ranks()[i]));
            } else {
                connection.send(begin);
            }
        }
        products.start();
    }

    private void combine(Product product) {
        tell(new Event.PieceProduced(product.piece()), context.combiningNanos(product));
    }

    /** Whether inputs of a product are being combined. */
    boolean isCombining() {
        return products.areInWork();
    }

    @Override
    public void received(Connection connection, Message message, long nowNanos) {
        if (peers.isOutdated(connection)) {
            return;
        }
        if (message instanceof Message.Begin) {
            peers.readyQueued(peers.indexOf(connection.fromRank()));
            tell(new Event.PeerReady(connection.fromRank()), context.costs().messageNanos());
        } else {
            if (message instanceof Message.Reject reject) {
                boolean unused = requests.received(reject.piece(), connection.fromRank());
            }
            tell(
                    new Event.Received(connection.fromRank(), message),
                    context.costs().messageNanos());
        }
    }

    @Override
    public void pieceArrived(Connection connection, int piece, int waiting, long nowNanos) {
        if (dead) {
            return;
        }
        boolean wanted = !peers.isOutdated(connection) && requests.received(piece, connection.fromRank());
        context.pieceArrived(connection, piece);
        if (!wanted) {
            return;
        }
        tell(new Event.PieceBegun(connection.fromRank(), piece, waiting));
        Event event = context.isCorrupt()
                ? new Event.PieceCorrupt(connection.fromRank(), piece)
                : new Event.PieceStored(connection.fromRank(), piece);
        tell(event, context.receiptNanos(piece));
    }

    /** Passes an event to the machine. */
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
            peers.readyHeard(peers.indexOf(ready.peerRank()));
        } else {
            heard(event);
        }
        try {
            context.handling(this, event);
            if (event instanceof Event.PieceProduced produced) {
                context.producing(this, products.made(produced.piece()));
            }
            performer.perform(node.handle(nowNanos, event));
            products.handled(event);
        } catch (RuntimeException e) {
            throw context.failure(this, e, nowNanos);
        }
    }

    private void heard(Event event) {
        if (event instanceof Event.PieceStored stored) {
            requests.heard(stored.piece(), stored.fromRank());
        } else if (event instanceof Event.PieceCorrupt corrupt) {
            requests.heard(corrupt.piece(), corrupt.fromRank());
        } else if (event instanceof Event.Received received && received.message() instanceof Message.Reject reject) {
            requests.heard(reject.piece(), received.fromRank());
        }
    }

    /** The peer has closed the connection, or is dead. */
    @Override
    public void ended(Connection connection) {
        if (!peers.isOutdated(connection) && performer.forget(peers.indexOf(connection.fromRank())) != null) {
            tell(new Event.PeerLost(connection.fromRank()));
        }
    }

    /** Whether there is a connection to this node. */
    boolean isConnectedTo(int otherRank) {
        int index = peers.find(otherRank);
        return index >= 0 && peers.get(index) != null;
    }

    /** Takes a new connection to a node, which becomes a peer, and announces this node to it. */
    void reconnect(Connection connection, Message begin) {
        int index = peers.find(connection.toRank());
        if (index < 0) {
            index = peers.add(connection.toRank());
        } else if (performer.forget(index) != null) {
            tell(new Event.PeerLost(connection.toRank()));
        }
        peers.replace(index, connection);
        if (stalled) {
            connection.pause();
        }
        connection.send(begin);
    }

    /** The connection to this node breaks, and both nodes notice. */
    void cut(int otherRank) {
        int index = peers.find(otherRank);
        Connection connection = index < 0 ? null : performer.forget(index);
        if (connection != null) {
            connection.end(0);
            tell(new Event.PeerLost(otherRank));
        }
    }

    /** The node starts again, without connections. */
    void restart(MulticastNode newNode) {
        dead = false;
        node = newNode;
        performer.restarted();
        inbox.clear();
        peers.restarted();
        products.restarted(node.possession());
        performer.perform(node.start(agenda.nowNanos()));
        products.start();
    }

    /** The node dies; its peers notice later. */
    void crash(long detectionNanos) {
        dead = true;
        for (int i = 0; i < peers.ranks().length; i++) {
            Connection connection = performer.forget(i);
            if (connection != null) {
                connection.end(detectionNanos);
            }
        }
    }

    /** The node does nothing until {@link #resume}. */
    void stall() {
        stalled = true;
        inbox.stall();
        peers.pause();
    }

    /** The node continues. */
    void resume() {
        stalled = false;
        inbox.resume();
        peers.resume();
    }

    /** Processor time of all its work so far. */
    long workedNanos() {
        return inbox.workedNanos();
    }

    /** Bytes sent that are not bytes of pieces. */
    long controlBytes() {
        return peers.controlBytes();
    }
}
